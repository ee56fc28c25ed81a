import CPostgres

/// The statements of a connection that were sent to the server and whose results were not read yet: libpq's pipeline mode.
struct PostgresPipeline {
    /// The answers to so many fit the buffers of a socket, so that neither side waits for the other to read.
    private static let mostStatements = 128
    /// The server begins with so many while further ones are made.
    private static let sentTogether = 16

    private(set) var count = 0

    var isEmpty: Bool { count == 0 }
    var isFull: Bool { count >= Self.mostStatements }

    /// Sends a statement.
    ///
    /// - Parameter send: a function of libpq, which returns 1 if it succeeds.
    mutating func send(_ handle: OpaquePointer?, _ send: () -> Int32) throws {
        if isEmpty { PQenterPipelineMode(handle) }
        guard send() == 1 else { throw PostgresError(handle, nil) }
        count += 1
        if count.isMultiple(of: Self.sentTogether) { PQflush(handle) }
    }

    /// Waits for all results, and passes each to `body` with its position; the caller frees it. Nil if the connection is lost.
    mutating func finish(_ handle: OpaquePointer?, _ body: (Int, OpaquePointer?) -> Void) {
        guard !isEmpty else { return }
        PQpipelineSync(handle)
        for position in 0..<count {
            let result = PQgetResult(handle)
            body(position, result)
            // The results of each statement end with none.
            while result != nil, let next = PQgetResult(handle) { PQclear(next) }
        }
        // The one of the synchronization.
        PQclear(PQgetResult(handle))
        PQexitPipelineMode(handle)
        count = 0
    }
}
