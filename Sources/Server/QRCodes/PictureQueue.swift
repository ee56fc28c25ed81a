import Linden
import LindenKernel
import LindenServices
import Synchronization

/// The queue of the QR codes that are drawn as images.
///
/// A large one takes up to 200 ms of ``BackgroundThreads/pictures``. Those of operators come first, one of each app in turn, then those of
/// other clients, one of each site in turn, so that the images of one client do not delay those of others. Their number is bounded by the
/// requests that are handled at a time, see ``ClientTurns``, and by the rate of a secret.
final class PictureQueue: Sendable {
    /// The caller for whom an image is drawn.
    enum Caller: Sendable {
        /// A caller with an app's secret or an access token, or a user of the dashboard.
        case authorized(App.ID)
        /// Any other; nil for a client whose network is not counted.
        case client(ClientNetwork?)

        var isAuthorized: Bool { if case .authorized = self { true } else { false } }

        /// The network by which the caller shares limits; nil for an operator.
        var client: ClientNetwork? {
            guard case .client(let client) = self else { return nil }
            return client
        }
    }

    private typealias Picture = @Sendable () -> Void

    private struct Waiting {
        var ofOperators = FairQueue<Picture>()
        var ofClients = FairQueue<Picture>()
        /// The number of operators' images since the last one of a client.
        var operatorsInTurn = 0

        mutating func next() -> Picture? {
            if operatorsInTurn < PictureQueue.mostFirst || ofClients.isEmpty, let picture = ofOperators.next() {
                operatorsInTurn += 1
                return picture
            }
            operatorsInTurn = 0
            return ofClients.next()
        }
    }

    /// The queue of all routes that draw, since they share the threads.
    static let shared = PictureQueue()

    /// The most operators' images that are drawn before one of a client.
    static let mostFirst = 4

    private let waiting = Mutex(Waiting())

    /// Draws on a background thread and returns the image.
    func run<Value: Sendable>(for caller: Caller, _ draw: @escaping @Sendable () throws -> Value) async throws -> Value {
        try await withCheckedThrowingContinuation { continuation in
            submit(for: caller) { continuation.resume(with: Result(catching: draw)) }
        }
    }

    /// Calls a closure once on a background thread, in the caller's turn.
    func submit(for caller: Caller, _ draw: @escaping @Sendable () -> Void) {
        waiting.withLock { waiting in
            switch caller {
            case .authorized(let app): waiting.ofOperators.append(draw, of: UInt64(bitPattern: app.rawValue))
            case .client(let client): waiting.ofClients.append(draw, of: client?.site)
            }
        }
        // One job for each queued image; which image it draws is decided when a thread is free.
        BackgroundThreads.pictures.submit { [self] in
            let next = waiting.withLock { $0.next() }
            next?()
        }
    }
}
