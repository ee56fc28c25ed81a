import Linden
import LindenKernel
import LindenServices
import Testing

@Suite struct TokenRateTests {
    private let scope = Scope(app: App.ID(rawValue: 1), mode: .live)

    /// The number of calls, out of `tries`, that a token succeeds with.
    private func admitted(_ tries: Int, _ limiter: RateLimiter, token: Int64, of scope: Scope? = nil) -> Int {
        let address = ClientAddress("203.0.113.7")!
        return (0..<tries).count { _ in
            (try? limiter.admit(.createLink, of: scope ?? self.scope, token: AccessToken.ID(rawValue: token), from: address)) != nil
        }
    }

    @Test func eachTokenOfAnAppHasTheRateOfASecretAndAllTogetherEightTimesThat() {
        var limits = RateLimits(exempt: [])
        limits[.createLink] = RateLimits.Allowed(address: .unlimited, secret: Rate(perMinute: 10))
        let limiter = RateLimiter(limits: limits, now: { 0 })
        #expect((1...8).map { admitted(20, limiter, token: $0) } == Array(repeating: 10, count: 8))
        #expect((9...12).map { admitted(20, limiter, token: $0) } == [0, 0, 0, 0])
        let other = Scope(app: App.ID(rawValue: 2), mode: .live)
        #expect(admitted(20, limiter, token: 1, of: other) == 10)
    }
}
