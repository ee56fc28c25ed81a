import Linden
import LindenKernel
import Synchronization

/// Logos that were fetched within the last minute: a page with a QR code, its image and the files made from it need one fetch together.
///
/// Keyed by app side, so that the time of a response reveals nothing about another app's logos. Bounded: at most ``capacity`` bytes.
final class LogoCache: Sendable {
    private struct Entry {
        let scope: Scope
        let url: String
        let bytes: [UInt8]
        let end: ContinuousClock.Instant
    }

    static let lifetime = Duration.seconds(60)
    static let capacity = 8 << 20
    /// The most logos, because each is found by comparing URLs.
    static let mostEntries = 64

    /// Oldest first.
    private let entries = Mutex<[Entry]>([])
    private let now: @Sendable () -> ContinuousClock.Instant

    /// - Parameter now: a monotonic clock.
    init(now: @escaping @Sendable () -> ContinuousClock.Instant = { .now }) {
        self.now = now
    }

    /// Returns the bytes of a logo; nil if it was not fetched within ``lifetime``.
    func logo(at url: String, of scope: Scope) -> [UInt8]? {
        let now = now()
        return entries.withLock { entries in
            entries.last { $0.scope == scope && $0.url.hasSameBytes(as: url) && $0.end > now }?.bytes
        }
    }

    func add(_ logo: [UInt8], at url: String, of scope: Scope) {
        let now = now()
        entries.withLock { entries in
            entries.removeAll { $0.end <= now || $0.scope == scope && $0.url.hasSameBytes(as: url) }
            entries.append(Entry(scope: scope, url: url, bytes: logo, end: now.advanced(by: Self.lifetime)))
            var bytes = entries.reduce(0) { $0 + $1.bytes.count }
            while bytes > Self.capacity || entries.count > Self.mostEntries { bytes -= entries.removeFirst().bytes.count }
        }
    }
}
