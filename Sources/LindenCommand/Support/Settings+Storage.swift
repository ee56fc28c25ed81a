import Foundation
import LindenKernel
import LindenServices
import Logging
import SQLStorage
import SQLiteStorage

#if PostgreSQL
    import PostgresStorage
#endif

extension Settings {
    /// Opens the database, runs `body`, and closes the database, also after an error. Fails with `unusable`, naming the database, if its
    /// engine reports an error.
    func withStorage<Result>(
        _ options: SQLiteOptions, logger: Logger = Logger(label: "linden"), _ body: (any SQLDatabase) async throws -> Result
    ) async throws -> Result {
        let storage = try open(options, logger)
        do {
            let result = try await body(storage)
            await storage.shutdown()
            return result
        } catch let error as any DriverError {
            await storage.shutdown()
            throw Failure.unusable("The database \(database.shown) \(error.openingProblem).")
        } catch {
            await storage.shutdown()
            throw error
        }
    }

    private func open(_ options: SQLiteOptions, _ logger: Logger) throws -> any SQLDatabase {
        switch database {
        case .sqlite(let path): return try SQLiteStorage(path: path, options: options, logger: logger)
        #if PostgreSQL
            case .postgres(let address):
                var options = PostgresOptions(options)
                options.prepares = prepared == .auto
                return try PostgresStorage(address: address, options: options, logger: logger)
        #endif
        }
    }
}

#if PostgreSQL
    extension PostgresOptions {
        /// The options that both engines have. Those of SQLite's files have no meaning on PostgreSQL.
        fileprivate init(_ options: SQLiteOptions) {
            self.init(
                readers: options.readers, analysts: options.analysts, questionLimit: options.questionLimit,
                queueLimit: options.queueLimit, acknowledgesEarly: options.durability == .normal, creates: options.creates,
                isServer: options.server != nil)
            clockTolerance = Self.mostClockDifference
            metrics = options.metrics
        }
    }
#endif
