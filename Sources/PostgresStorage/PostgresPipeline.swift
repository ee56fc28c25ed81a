import CPostgres

/// The statements of a connection that were sent to the server and whose results were not read yet: libpq's pipeline mode.
///
/// All that is sent ends with a Sync message. Behind one, the server counts a transaction as idle, and ends it if this process is
/// stopped; before one, it would wait for the next message without limit. Within a transaction a Sync does not commit.
struct PostgresPipeline {
    /// The answers to so many fit the buffers of a socket, so that neither side waits for the other to read.
    private static let mostStatements = 128
    /// The server begins with so many while further ones are made.
    private static let sentTogether = 16
    /// The bytes that are sent together. libpq sends what exceeds its buffer of 8 KB by itself, without a Sync.
    private static let bytesTogether = 4 << 10
    private static let longestMessage = 8000
    /// The size of a statement's messages besides its parameters.
    private static let messageBytes = 128

    private(set) var count = 0
    /// The number of statements before each Sync.
    private var synchronized: [Int] = []
    /// The size of the statements since the last Sync.
    private var bytes = 0

    var isEmpty: Bool { count == 0 }
    var isFull: Bool { count >= Self.mostStatements }

    /// Sends a statement.
    ///
    /// - Parameters:
    ///   - size: the number of bytes of its text and parameters.
    ///   - send: a function of libpq, which returns 1 if it succeeds.
    mutating func send(_ handle: OpaquePointer?, size: Int, _ send: () -> Int32) throws {
        if isEmpty { PQenterPipelineMode(handle) }
        let size = size + Self.messageBytes
        if bytes > 0, bytes + size > Self.longestMessage { synchronize(handle) }
        guard send() == 1 else {
            let error = PostgresError(handle, nil)
            if isEmpty { PQexitPipelineMode(handle) }
            throw error
        }
        count += 1
        bytes += size
        if bytes >= Self.bytesTogether || count - (synchronized.last ?? 0) >= Self.sentTogether { synchronize(handle) }
    }

    /// Sends the statements that wait here.
    mutating func flush(_ handle: OpaquePointer?) {
        if !isEmpty, synchronized.last != count { synchronize(handle) }
    }

    /// Sends the statements that wait, with a Sync. If that fails, the connection is lost, as their results show.
    private mutating func synchronize(_ handle: OpaquePointer?) {
        PQpipelineSync(handle)
        synchronized.append(count)
        bytes = 0
    }

    /// Waits for all results, and passes each to `body` with its position; the caller frees it. Nil if the connection is lost.
    ///
    /// - Returns: false if the connection is lost. The server may have ended the session behind the last result, which libpq does not notice.
    mutating func finish(_ handle: OpaquePointer?, _ body: (Int, OpaquePointer?) -> Void) -> Bool {
        guard !isEmpty else { return true }
        flush(handle)
        var (position, isWhole) = (0, true)
        for end in synchronized {
            while position < end {
                let result = PQgetResult(handle)
                body(position, result)
                // The results of each statement end with none.
                while result != nil, let next = PQgetResult(handle) { PQclear(next) }
                position += 1
            }
            let result = PQgetResult(handle)
            isWhole = isWhole && PQresultStatus(result) == PGRES_PIPELINE_SYNC
            PQclear(result)
        }
        self = PostgresPipeline()
        return PQexitPipelineMode(handle) == 1 && isWhole
    }
}
