import LindenKernel
import NIOCore
import OutgoingHTTP
import Synchronization

extension GuardedClient {
    /// A client that may reach 127.0.0.1 on the server's port, and nothing else that is not public.
    static func reaching(_ server: TestServer, resolver: @escaping NameResolver = { _, _ in throw Unresolved() }) -> GuardedClient {
        GuardedClient(policy: AddressPolicy(ports: [server.port], exceptions: ["127.0.0.1/32"]), resolver: resolver)
    }

    func get(_ url: String, limit: Int = 1000) async throws -> FetchedBody {
        try await get(url, limit: limit, timeout: .seconds(30))
    }
}

/// No name is known.
struct Unresolved: Error {}

/// A name server that gives each answer once, in order, and remembers what it was asked.
final class ScriptedNames: Sendable {
    private let answers: Mutex<[[String]]>
    private let names = Mutex<[String]>([])

    init(_ answers: [[String]]) {
        self.answers = Mutex(answers)
    }

    var asked: [String] { names.withLock { $0 } }

    @Sendable func resolve(_ name: String, _ parties: [LookupParty]) throws -> [IPAddress] {
        names.withLock { $0.append(name) }
        return try answers.withLock { answers in
            guard !answers.isEmpty else { throw Unresolved() }
            return answers.removeFirst().compactMap { IPAddress($0) }
        }
    }
}
