import Linden
import LindenKernel
import LindenServices
import Synchronization

/// A database whose calls appear in the traces of their requests: how long each waited for its thread, ran, and waited for the commit that it
/// shares with others.
package struct TracedDatabase<Base: Database>: Database {
    let base: Base
    let tracer: Tracer

    package init(_ base: Base, tracer: Tracer) {
        self.base = base
        self.tracer = tracer
    }

    package func read<Value: Sendable>(_ body: @escaping @Sendable (any DatabaseReader) throws -> Value) async throws -> Value {
        try await traced("read") { call in
            guard let call else { return try await base.read(body) }
            return try await base.read { reader in
                call.enter("run")
                return try body(reader)
            }
        }
    }

    package func analyze<Value: Sendable>(
        _ scope: Scope, _ body: @escaping @Sendable (any DatabaseReader) throws -> Value
    ) async throws -> Value {
        try await traced("analyze") { call in
            guard let call else { return try await base.analyze(scope, body) }
            return try await base.analyze(scope) { reader in
                call.enter("run")
                return try body(reader)
            }
        }
    }

    package func write<Value: Sendable>(_ body: @escaping @Sendable (any DatabaseTransaction) throws -> Value) async throws -> Value
    {
        try await traced("write") { call in
            guard let call else { return try await base.write(body) }
            return try await base.write { transaction in
                call.enter("run")
                defer { call.enter("commit") }
                return try body(transaction)
            }
        }
    }

    package func write<Found: Sendable, Value: Sendable>(
        after find: @escaping @Sendable (any DatabaseReader) throws -> Found,
        _ body: @escaping @Sendable (any DatabaseTransaction, Found) throws -> Value
    ) async throws -> Value {
        try await traced("write") { call in
            guard let call else { return try await base.write(after: find, body) }
            return try await base.write(
                after: { reader in
                    call.enter("find")
                    defer { call.enter("wait") }
                    return try find(reader)
                },
                { transaction, found in
                    call.enter("run")
                    defer { call.enter("commit") }
                    return try body(transaction, found)
                })
        }
    }

    /// Visits are recorded by it, which are not traced.
    package func write<Value: Sendable>(
        _ body: @escaping @Sendable (any DatabaseTransaction) throws -> Value,
        then deliver: @escaping @Sendable (Result<Value, any Error>) -> Void
    ) {
        base.write(body, then: deliver)
    }

    package func purgeWriteAheadLog() async throws -> Bool { try await base.purgeWriteAheadLog() }
    package var writeProblem: String? { base.writeProblem }
    package var writeStall: Duration { base.writeStall }
    package var foreignChanges: Int { base.foreignChanges }

    /// Runs a call with what records its phases; nil unless the request is traced.
    private func traced<Value: Sendable>(_ name: String, _ run: (TracedCall?) async throws -> Value) async throws -> Value {
        guard let request = TraceContext.current else { return try await run(nil) }
        let call = TracedCall(name, in: request)
        do {
            let value = try await run(call)
            call.end(hasFailed: false).forEach(tracer.record)
            return value
        } catch {
            call.end(hasFailed: true).forEach(tracer.record)
            throw error
        }
    }
}

/// A call of the database in a trace. It first waits; what may run more than once appears each time.
private final class TracedCall: Sendable {
    private let name: String
    private let request: TraceContext
    private let phases: Mutex<[(name: String, start: UInt64)]>

    init(_ name: String, in request: TraceContext) {
        self.name = name
        self.request = request
        phases = Mutex([("wait", Tracer.now())])
    }

    /// Ends the current phase, and begins another.
    func enter(_ phase: String) {
        let now = Tracer.now()
        phases.withLock { $0.append((phase, now)) }
    }

    /// Returns the span of the call, and those of its phases.
    func end(hasFailed: Bool) -> [Span] {
        let now = Tracer.now()
        let phases = phases.withLock { $0 }
        let context = TraceContext(traceID: request.traceID, spanID: TraceContext.newSpanID())
        var call = Span("database.\(name)", context: context, parent: request.spanID, from: phases[0].start, to: now)
        call.hasFailed = hasFailed
        let ends = phases.dropFirst().map(\.start) + [now]
        return [call]
            + zip(phases, ends).map { phase, end in
                Span(
                    phase.name, context: TraceContext(traceID: request.traceID, spanID: TraceContext.newSpanID()),
                    parent: context.spanID, from: phase.start, to: end)
            }
    }
}
