import Linden
import LindenKernel
import LindenLedger
import LindenReporting
import LindenTesting
import LinkRouting
import SQLStorage
import SQLiteStorage
import Testing

/// The statements that run for every click, link, session, event and redemption.
enum HotStatements {
    static func run(_ transaction: SQLTransaction) throws {
        let scope = Scope(app: Identifier(rawValue: 1), mode: .live)
        let seen = Fingerprint(scope: scope, address: "203.0.113.7", os: "iOS", osVersion: "17.5")
        let click = Click.ID(rawValue: 3)
        _ = try transaction.app(scope.app)
        _ = try transaction.appKey("key_live_x")
        _ = try transaction.domain("go.example.com")
        _ = try transaction.domains(of: scope)
        _ = try transaction.deleteDomain("go.example.com")
        try transaction.deleteDomains(of: scope.app)
        _ = try transaction.routes(of: scope.app)
        _ = try transaction.token(hash: [1])
        _ = try transaction.link(Link.ID(rawValue: 2))
        _ = try transaction.link(at: LinkAddress(host: "", path: "pears"))
        _ = try transaction.storedLink(Link.ID(rawValue: 2))
        _ = try transaction.storedLink(at: LinkAddress(host: "", path: "pears"))
        for order in LinkOrder.allCases {
            _ = try transaction.lastLink(of: scope, in: 0..<Int64.max, order: order, among: 10)
            _ = try transaction.links(of: scope, in: 0..<Int64.max, matching: LinkFilter(), order: order, limit: 10)
        }
        _ = try transaction.object("pear/1", in: scope)
        _ = try transaction.objectStatus("pear/1", in: scope, comparedTo: "{}")
        _ = try transaction.objects(of: scope, before: nil, limit: 10)
        try transaction.count(ObjectStatistics(), of: UniversalObject.ID(rawValue: 7), on: 20_000)
        _ = try transaction.rate(of: .standard, on: 20_000)
        _ = try transaction.claim(
            TransactionClaim(transaction: "order-1", name: "PURCHASE", claimant: 5, isAuthenticated: true, revenue: nil),
            for: Event.ID(rawValue: 8), in: scope)
        try transaction.count(.revenueMalformed, of: .purchase, in: scope)
        _ = try transaction.openLink(about: UniversalObject.ID(rawValue: 7), on: "go.example.com", before: nil)
        try transaction.deleteLink(Link.ID(rawValue: 2), at: transaction.now)
        _ = try transaction.click(click)
        for link in [nil, Link.ID(rawValue: 2)] {
            _ = try transaction.clicks(of: scope, link: link, by: nil, in: 0..<Int64.max, among: 10, limit: 10)
        }
        _ = try transaction.pendingClicks(seen, limit: 16)
        _ = try transaction.claim(click)
        _ = try transaction.hasExpiredPendingClicks(at: transaction.now)
        _ = try transaction.density(of: [seen.address], in: scope, since: transaction.now, besides: nil, limit: 64)
        try transaction.record(
            device: Device.ID(rawValue: 4), DeviceDescription(), from: seen.address, in: scope, time: transaction.now)
        _ = try transaction.hasDeviceAddresses(before: transaction.now)
        _ = try transaction.appleAttributionToken(of: Device.ID(rawValue: 4))
        try transaction.setAppleAttributionToken("t", of: Device.ID(rawValue: 4))
        _ = try transaction.rowMade(by: "k", in: scope, since: transaction.now)
        _ = try transaction.hasRequests(before: transaction.now)
        _ = try transaction.firstSessionData(of: Identity.ID(rawValue: 5))
        _ = try transaction.device(Device.ID(rawValue: 4))
        _ = try transaction.scope(of: Device.ID(rawValue: 4))
        _ = try transaction.device(hardwareID: "h", in: scope)
        _ = try transaction.deviceID(hardwareID: "h", in: scope)
        _ = try transaction.firstApp(advertisingID: "a", in: scope)
        _ = try transaction.identities(ofDevicesThatReported: "a", in: scope)
        _ = try transaction.device(of: Identity.ID(rawValue: 5), orLater: true)
        try transaction.setLastTouch(click, device: Device.ID(rawValue: 4), identity: Identity.ID(rawValue: 5))
        _ = try transaction.hasApp(Device.ID(rawValue: 4), in: scope)
        _ = try transaction.strongMatch(["h"], from: ["203.0.113.7"], in: scope, at: transaction.now)
        try transaction.deleteStrongMatches(["h"], from: ["203.0.113.7"], in: scope)
        _ = try transaction.hasExpiredStrongMatches(at: transaction.now)
        _ = try transaction.identity(Identity.ID(rawValue: 5))
        _ = try transaction.identity("ann", in: scope)
        _ = try transaction.session(Session.ID(rawValue: 6))
        _ = try transaction.sessionReference(Session.ID(rawValue: 6))
        _ = try transaction.sessionRecord(Session.ID(rawValue: 6))
        try transaction.closeSession(Session.ID(rawValue: 6), in: scope, at: transaction.now)
        let session = Session(
            id: Session.ID(rawValue: 6), scope: scope, device: Device.ID(rawValue: 4), identity: Identity.ID(rawValue: 5),
            kind: .open, link: Link.ID(rawValue: 2), click: click, data: [:],
            explanation: StoredDecision(outcome: .organic, reason: ""))
        try transaction.redecide(session, as: session)
        try transaction.replaceLastTouch(click, ofDevice: session.device)
        try transaction.replaceLastTouch(click, ofIdentity: session.identity)
        try transaction.replaceFirstSessionData([:], of: session.identity)
        _ = try transaction.hasFirstSessionLink(session.identity)
        try transaction.copyFirstSessionData(from: session, replaces: false)
        _ = try transaction.linkStatus(Link.ID(rawValue: 2))
        _ = try transaction.statistics(of: Link.ID(rawValue: 2))
        _ = try transaction.nextLinkCounts(of: .clicks, before: transaction.now, limit: .standard)
        _ = try transaction.nextLinkCounts(of: .sessions, before: transaction.now, limit: .standard)
        try runCredits(transaction, scope)
    }

    /// The credit statements of every session, event and redemption.
    private static func runCredits(_ transaction: SQLTransaction, _ scope: Scope) throws {
        let (user, device, account) = (Identity.ID(rawValue: 5), Device.ID(rawValue: 4), CreditAccount.ID(rawValue: 7))
        _ = try transaction.rewardRules(for: EventName("install"), in: scope)
        _ = try transaction.rewards(by: RewardRule.ID(rawValue: 8), to: user, on: 1)
        _ = try transaction.session(claiming: Click.ID(rawValue: 3), isPage: false)
        _ = try transaction.referral(into: Session.ID(rawValue: 6))
        try transaction.replaceReferral(into: Session.ID(rawValue: 6))
        _ = try transaction.lastReferral(of: user, on: Device.ID(rawValue: 4))
        _ = try transaction.firstDevice(of: user)
        try transaction.addRewardCounts(of: user, to: Identity.ID(rawValue: 8))
        _ = try transaction.wasUsed(device, by: user)
        _ = try transaction.isSamePhone(device, asOneOf: user)
        _ = try transaction.wasAt("203.0.113.7", user, in: scope, since: transaction.now)
        _ = try transaction.wasAt("203.0.113.7", device, in: scope, since: transaction.now)
        try transaction.moveReferral(into: Session.ID(rawValue: 6), to: user)
        _ = try transaction.referralCode("ANN7K", in: scope)
        _ = try transaction.creditClaim("key 1", in: scope)
        _ = try transaction.creditBalances(of: user)
        _ = try transaction.bucketCount(of: user)
        _ = try transaction.creditBalance(of: user, in: .standard)
        _ = try transaction.hasBucket(.standard, in: scope)
        _ = try transaction.changeCreditBalance(of: account, by: -1)
        _ = try transaction.creditRecord(of: CreditTransaction.ID(rawValue: 9), for: user)
        _ = try transaction.expiredCredits(of: account, at: transaction.now, limit: 10)
        let entry = CreditEntry(
            transaction: CreditTransaction.ID(rawValue: 9),
            account: CreditAccount(id: account, owner: .user(user), bucket: .standard),
            amount: -1, balanceAfter: 0)
        let lot = CreditLot(grant: CreditTransaction.ID(rawValue: 10), remaining: 1, expiresAt: transaction.now)
        _ = try transaction.creditLot(of: lot.grant, on: account)
        _ = try transaction.expiringLots(on: account, limit: 2)
        try transaction.consumeLots(through: lot, for: entry)
        try transaction.consume(1, of: lot, for: entry)
        try transaction.restoreExpiringCredits(to: entry, takenBy: CreditTransaction.ID(rawValue: 9))
        _ = try transaction.fraudSignals(of: device)
        _ = try transaction.newDevices(at: "203.0.113.7", in: scope, since: transaction.now, limit: 10)
        _ = try transaction.newDevices(model: "Pixel 8", in: scope, since: transaction.now, limit: 10)
        let held = HeldReward.ID(rawValue: 1)
        _ = try transaction.lastHeldReward(of: scope, after: held, count: 10)
        _ = try transaction.heldRewards(of: scope, HeldRewardFilter(), after: nil, through: held, limit: 10)
        _ = try transaction.heldRewards(
            of: scope,
            HeldRewardFilter(rule: RewardRule.ID(rawValue: 1), addresses: ["a"], networks: ["n"], since: transaction.now),
            after: held, through: held, limit: 10)
        _ = try transaction.heldRewardCount(of: scope)
        _ = try transaction.heldRewards(beginningWith: held, in: scope)
        for source in [RewardOrigin.Source.address("a"), .anywhere] {
            _ = try transaction.heldRewards(from: source, in: scope, on: 1)
            _ = try transaction.total(of: .referrals, from: source, in: scope, on: 1)
            _ = try transaction.count(.referrals, from: source, in: scope, on: 1, limit: 20)
        }
        _ = try transaction.dailyTotals(of: .referrals, in: scope, since: 1, before: 2)
        _ = try transaction.droppedRewards(of: scope, since: 1)
    }
}
