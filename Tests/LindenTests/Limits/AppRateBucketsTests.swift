import Linden
import LindenKernel
import Testing

@testable import LindenServices

/// An app may make new access tokens all the time, so buckets that are full again are forgotten.
@Suite struct AppRateBucketsTests {
    private static let hour: Int64 = 3_600_000_000_000

    private static func credential(_ token: Int64) -> RateLimiter.Credential {
        RateLimiter.Credential(
            scope: Scope(app: App.ID(rawValue: 1), mode: .live), isSecret: true, token: AccessToken.ID(rawValue: token),
            call: .readLink)
    }

    @Test func bucketsThatAreFullAgainAreForgotten() {
        var buckets = AppRateBuckets()
        let rate = Rate(perHour: 2)
        for token in 0..<20_000 as Range<Int64> {
            #expect(buckets.take(1, from: Self.credential(token), of: rate, mayOwe: true, at: 0) == nil)
        }
        #expect(buckets.count == 20_000)
        // One that is not full is kept, whatever is forgotten beside it.
        for token in 20_000..<60_000 as Range<Int64> {
            _ = buckets.take(1, from: Self.credential(7), of: rate, mayOwe: false, at: 2 * Self.hour)
            buckets.charge(1, to: Self.credential(token), of: rate, at: 2 * Self.hour)
        }
        #expect(buckets.count < 45_000)
        #expect(buckets.take(2, from: Self.credential(7), of: rate, mayOwe: false, at: 2 * Self.hour) != nil)
    }
}
