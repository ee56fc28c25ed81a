import Linden
import LindenKernel
import Synchronization
import Testing

@testable import Server

/// The logos that are kept for a minute.
@Suite struct LogoCacheTests {
    private static let scopes = [
        Scope(app: Identifier(rawValue: 1), mode: .live), Scope(app: Identifier(rawValue: 2), mode: .live),
    ]

    /// A clock that stands still until it is moved.
    private final class Clock: Sendable {
        private let time = Mutex(ContinuousClock.now)

        var now: ContinuousClock.Instant { time.withLock { $0 } }

        func advance(by duration: Duration) { time.withLock { $0 = $0.advanced(by: duration) } }
    }

    @Test func aLogoIsKeptForAMinuteAndForItsAppOnly() {
        let clock = Clock()
        let cache = LogoCache { clock.now }
        cache.add([1, 2], at: "https://a.example/logo.png", of: Self.scopes[0])
        clock.advance(by: .seconds(59))
        #expect(cache.logo(at: "https://a.example/logo.png", of: Self.scopes[0]) == [1, 2])
        #expect(cache.logo(at: "https://a.example/logo.png", of: Self.scopes[1]) == nil)
        #expect(cache.logo(at: "https://a.example/other.png", of: Self.scopes[0]) == nil)
        clock.advance(by: .seconds(1))
        #expect(cache.logo(at: "https://a.example/logo.png", of: Self.scopes[0]) == nil)
    }

    @Test func aLogoIsKeptForTheBytesOfItsURL() {
        let cache = LogoCache()
        cache.add([1], at: "https://a.example/logo\u{37E}v=1", of: Self.scopes[0])
        #expect(cache.logo(at: "https://a.example/logo;v=1", of: Self.scopes[0]) == nil)
        cache.add([2], at: "https://a.example/logo;v=1", of: Self.scopes[0])
        #expect(cache.logo(at: "https://a.example/logo\u{37E}v=1", of: Self.scopes[0]) == [1])
    }

    @Test func theOldestMakesRoomForTheNewest() {
        let cache = LogoCache()
        let large = [UInt8](repeating: 0, count: 1 << 20)
        for number in 0..<9 { cache.add(large, at: "https://a.example/\(number)", of: Self.scopes[0]) }
        #expect(cache.logo(at: "https://a.example/0", of: Self.scopes[0]) == nil)
        #expect((1..<9).allSatisfy { cache.logo(at: "https://a.example/\($0)", of: Self.scopes[0]) != nil })

        for number in 0..<LogoCache.mostEntries { cache.add([1], at: "https://b.example/\(number)", of: Self.scopes[1]) }
        #expect(cache.logo(at: "https://a.example/8", of: Self.scopes[0]) == nil)
        #expect(cache.logo(at: "https://b.example/0", of: Self.scopes[1]) == [1])
    }
}
