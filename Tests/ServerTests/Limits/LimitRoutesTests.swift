import Foundation
import HTTPTypes
import LindenKernel
import LindenServices
import LindenTesting
import SQLiteStorage
import Testing

/// Rate limits through the router.
@Suite struct LimitRoutesTests {
    @Test func aStrangerWithThePublicKeyCannotUseUpTheAppsShare() async throws {
        try await Exchange.runLimited {
            $0[.createLink] = RateLimits.Allowed(address: Rate(perMinute: 5), key: Rate(perMinute: 20))
        } _: { exchange, key, _ async throws in
            #expect(try await exchange.created(30, key, from: "203.0.113.7") == 5)
            #expect(try await exchange.created(5, key, from: "198.51.100.1") == 5)
            #expect(try await exchange.created(5, key, from: "198.51.100.2") == 5)
        }
    }

    @Test func aStrangersIPv6NetworkIsOneAddress() async throws {
        try await Exchange.runLimited {
            $0[.createLink].address = Rate(perMinute: 5)
        } _: { exchange, key, _ async throws in
            var count = 0
            for number in 1...10 { count += try await exchange.created(1, key, from: "2001:db8:1:2::\(number)") }
            #expect(count == 5)
            #expect(try await exchange.created(1, key, from: "2001:db8:1:3::1") == 1)
        }
    }

    @Test func theSecretHasItsOwnShareAndAWrongOneDoesNotOpenIt() async throws {
        try await Exchange.runLimited {
            $0[.createLink] = RateLimits.Allowed(address: Rate(perMinute: 2), key: Rate(perMinute: 2), secret: Rate(perMinute: 4))
        } _: { exchange, key, secret async throws in
            #expect(try await exchange.created(9, key, from: "203.0.113.7") == 2)
            #expect(try await exchange.created(9, key, secret: "wrong", from: "203.0.113.7") == 0)
            #expect(try await exchange.created(9, key, secret: secret, from: "203.0.113.7") == 4)
        }
    }

    @Test func guessingSecretsIsLimited() async throws {
        try await Exchange.runLimited {
            $0[.call].address = Rate(perMinute: 3)
        } _: { exchange, key, _ async throws in
            var statuses: [Int] = []
            for number in 0..<5 {
                statuses.append(try await exchange.get("/v1/app/\(key)?branch_secret=guess\(number)").status)
            }
            #expect(statuses == [400, 400, 400, 429, 429])
        }
    }

    @Test func unknownKeysAndBrokenBodiesCountAgainstTheAddress() async throws {
        try await Exchange.runLimited {
            $0[.event].address = Rate(perMinute: 3)
        } _: { exchange, key, _ async throws in
            var statuses: [Int] = []
            for number in 0..<4 {
                let unknown: JSON = ["branch_key": .string("key_live_\(number)"), "name": "open"]
                statuses.append(try await exchange.post("/v2/event/custom", unknown).status)
            }
            #expect(statuses == [400, 400, 400, 429])
            #expect(try await exchange.send(.post, "/v2/event/custom", body: Array("{".utf8)).status == 429)
            #expect(try await exchange.send(.post, "/v2/event/custom", from: "198.51.100.1", body: Array("{".utf8)).status == 400)
        }
    }

    @Test func aRefusalIsAnErrorOfTheAPIAndItsRetryAfterIsHonest() async throws {
        try await Exchange.runLimited {
            $0[.session].address = Rate(perMinute: 6)
        } _: { exchange, key, _ async throws in
            for _ in 0..<6 { #expect(try await exchange.install(key).status == 200) }
            let refused = try await exchange.install(key)
            #expect(refused.status == 429)
            #expect(refused.errorCode == 429)
            #expect(refused.errorMessage?.contains("6/min") == true)
            let seconds = try #require(refused.headers[.retryAfter].flatMap { Int64($0) })
            exchange.installation.clock.advance(by: .seconds(seconds - 1))
            #expect(try await exchange.install(key).status == 429)
            exchange.installation.clock.advance(by: .seconds(1))
            #expect(try await exchange.install(key).status == 200)
        }
    }

    @Test func visitsAreLimitedByAddressAndAnswerWithAPage() async throws {
        try await Exchange.runLimited {
            $0[.visit].address = Rate(perMinute: 3)
        } _: { exchange, key, _ async throws in
            let path = try await exchange.createLink(key)
            for _ in 0..<3 { #expect(try await exchange.get(path).status < 400) }
            let refused = try await exchange.get(path, headers: [.accept: "text/html"])
            #expect(refused.status == 429)
            #expect(refused.headers[.contentType]?.hasPrefix("text/html") == true)
            #expect(refused.headers[.retryAfter] == "20")
            #expect(try await exchange.get(path, from: "198.51.100.1").status < 400)
            #expect(try await exchange.get("/healthz").status == 200)
        }
    }

    /// The ids determine the app, so these calls count against its key like calls that name the key.
    @Test func callsThatNameAClickOrAUserCountAgainstTheAppsKey() async throws {
        try await Exchange.runLimited {
            $0[.call] = RateLimits.Allowed(address: Rate(perMinute: 100), key: Rate(perSecond: 2))
        } _: { exchange, key, _ async throws in
            let click = try await exchange.get(try await exchange.createLink(key)).linkClickID ?? ""
            let user = try await exchange.install(key).object["identity_id"]?.string ?? ""
            let calls: [@Sendable (String) async throws -> Int] = [
                { try await exchange.get("/v1/credits/\(user)", from: $0).status },
                { try await exchange.get("/v1/referrals/\(user)", from: $0).status },
                { try await exchange.get("/_r?branch_key=\(key)", from: $0).status },
                { try await exchange.post("/c/\(click)/device", ["screen_width": 390, "screen_height": 844], from: $0).status },
            ]
            for call in calls {
                var statuses: [Int] = []
                for number in 1...4 { statuses.append(try await call("198.51.\(number).7")) }
                // Two, and one of the reserve.
                #expect(statuses.prefix(3).allSatisfy { $0 < 300 } && statuses[3] == 429, "\(statuses)")
                // Time for the key's bucket to refill.
                exchange.installation.clock.advance(by: .seconds(2))
            }
        }
    }

    @Test func askingForABrowsersNumberIsACallAndNoVisit() async throws {
        try await Exchange.runLimited {
            $0[.visit].address = Rate(perMinute: 1)
            $0[.call].address = Rate(perMinute: 3)
        } _: { exchange, _, _ async throws in
            var statuses: [Int] = []
            for _ in 0..<4 { statuses.append(try await exchange.get("/_r").status) }
            #expect(statuses == [200, 200, 200, 429])
        }
    }

    @Test func exemptNetworksAreNotLimited() async throws {
        try await Exchange.runLimited(exempt: ["198.51.100.0/24"]) {
            $0[.createLink].address = Rate(perMinute: 1)
        } _: { exchange, key, _ async throws in
            #expect(try await exchange.created(5, key, from: "198.51.100.7") == 5)
            #expect(try await exchange.created(5, key, from: "203.0.113.7") == 1)
            #expect(try await exchange.created(5, key, from: "127.0.0.1") == 1, "loopback is one only by the setting")
        }
    }

    /// A new route without a limit of its own is limited as a call.
    @Test func everyRouteButTheHealthChecksIsLimited() async throws {
        var limits = RateLimits(exempt: [])
        for call in LimitedCall.allCases {
            limits[call] = RateLimits.Allowed(address: Rate(perHour: 1), key: Rate(perHour: 1), secret: Rate(perHour: 1))
        }
        try await Exchange.run(limits: limits) { exchange in
            var number = 0
            for (method, path) in exchange.calls {
                number += 1
                let address = "198.51.\(number / 250).\(number % 250 + 1)"
                let target = path.split(separator: "/", omittingEmptySubsequences: false)
                    .map { $0.hasPrefix(":") || $0.hasPrefix("{") ? "x" : $0 == "**" ? "some" : $0 }.joined(separator: "/")
                var statuses: [Int] = []
                for _ in 0..<2 {
                    statuses.append(try await exchange.send(.init(rawValue: method)!, target, from: address).status)
                }
                let isHealth = ["/healthz", "/readyz"].contains(path)
                #expect((statuses[1] == 429) == !isHealth, "\(method) \(path): \(statuses)")
            }
        }
    }

    /// Each piece is read, stored and counted.
    @Test func anEventOfManyPiecesOfContentCountsAsSeveral() async throws {
        try await Exchange.runLimited {
            $0[.event].address = Rate(perMinute: 30)
        } _: { exchange, key, _ async throws in
            func statuses(pieces: Int, from address: String) async throws -> [Int] {
                let items = (0..<pieces).map { JSON.object(["$canonical_identifier": .string("pear/\($0)")]) }
                let event: JSON = ["branch_key": .string(key), "name": "VIEW_ITEMS", "content_items": .array(items)]
                var statuses: [Int] = []
                for _ in 0..<4 { statuses.append(try await exchange.post("/v2/event/standard", event, from: address).status) }
                return statuses
            }
            #expect(try await statuses(pieces: 3, from: "198.51.100.1") == [200, 200, 200, 200])
            #expect(try await statuses(pieces: 100, from: "203.0.113.1") == [200, 200, 429, 429])
        }
    }
}
