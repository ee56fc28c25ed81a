import Foundation
import Testing

@testable import Linden
@testable import LindenKernel
@testable import SQLStorage

@Suite struct NewStringQuotaTests {
    private let orchard = App.ID(rawValue: 1)

    @Test func oneAddressIntroduces500StringsOfAKindADay() {
        var quota = NewStringQuota()
        let source = StringSource(app: orchard, address: "203.0.113.7", site: nil)
        let userAgents = admitted(600, to: &quota) { _ in source }
        let isReferrerAdmitted = quota.admit("https://a.example", .referrer, on: 1, from: source)
        let isAdmittedTomorrow = quota.admit("agent 0", .userAgent, on: 2, from: source)
        #expect(userAgents == 500)
        #expect(isReferrerAdmitted)
        #expect(isAdmittedTomorrow)
    }

    @Test func theAddressesOfOneSiteShareFourTimesTheLimitOfAnAddress() {
        var quota = NewStringQuota()
        let ofSite = admitted(3000, to: &quota) { StringSource(app: orchard, address: "address \($0 / 100)", site: 7) }
        let ofOthers = admitted(1, to: &quota) { _ in StringSource(app: orchard, address: "elsewhere", site: 8) }
        #expect(ofSite == 2000)
        #expect(ofOthers == 1)
    }

    @Test func visitorsWithoutAStoredAddressLeaveHalfOfTheAppsLimitToOthers() {
        var quota = NewStringQuota()
        let unknown = admitted(6000, to: &quota) { _ in StringSource(app: orchard, address: "", site: nil) }
        let others = admitted(6000, to: &quota) { StringSource(app: orchard, address: "address \($0)", site: nil) }
        #expect(unknown == 5000)
        #expect(others == 5000)
    }

    @Test func aStringOfARepeatedTransactionCountsOnce() {
        var quota = NewStringQuota()
        let source = StringSource(app: orchard, address: "203.0.113.7", site: nil)
        for _ in 1...600 where !quota.admit("an agent", .userAgent, on: 1, from: source) { Issue.record("a repetition is refused") }
        #expect(admitted(600, to: &quota) { _ in source } == 499)
    }

    @Test func twoSpellingsOfAStringAreTwo() {
        var quota = NewStringQuota()
        let source = StringSource(app: orchard, address: "203.0.113.7", site: nil)
        for agent in ["caf\u{E9}", "cafe\u{301}"] where !quota.admit(agent, .userAgent, on: 1, from: source) {
            Issue.record("a spelling is refused")
        }
        #expect(admitted(600, to: &quota) { _ in source } == 498)
    }

    /// The number of new user agents that are admitted on a day.
    private func admitted(_ count: Int, to quota: inout NewStringQuota, from source: (Int) -> StringSource) -> Int {
        var admitted = 0
        for number in 0..<count where quota.admit("\(UUID())", .userAgent, on: 1, from: source(number)) { admitted += 1 }
        return admitted
    }
}
