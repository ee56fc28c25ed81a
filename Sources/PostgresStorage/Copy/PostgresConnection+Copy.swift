import CPostgres
import SQLStorage

/// PostgreSQL's `COPY … FROM STDIN`, the fastest way to insert rows.
extension PostgresConnection {
    func beginCopy(into table: CopiedTable) throws {
        let result = PQexec(handle, "COPY \(table.name) (\(table.columnList)) FROM STDIN (FORMAT binary)")
        guard PQresultStatus(result) == PGRES_COPY_IN else {
            _ = try checked(result)
            return
        }
        PQclear(result)
    }

    func putCopyData(_ bytes: [UInt8]) throws {
        let code = bytes.withUnsafeBytes {
            PQputCopyData(handle, $0.baseAddress?.assumingMemoryBound(to: CChar.self), Int32($0.count))
        }
        guard code == 1 else { throw PostgresError(handle, nil) }
    }

    func endCopy() throws {
        guard PQputCopyEnd(handle, nil) == 1 else { throw PostgresError(handle, nil) }
        let result = PQgetResult(handle)
        while let other = PQgetResult(handle) { PQclear(other) }
        _ = try checked(result)
    }
}
