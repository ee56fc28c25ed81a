import Foundation
import HTTPTypes
import Linden
import LindenKernel
import LindenReporting
import LindenServices
import LindenTesting
import LinkRouting
import Testing

/// The replacement of keys and secrets.
@Suite struct KeyRotationTests {
    private static func reads(_ exchange: Exchange, _ key: String, _ secret: String) async throws -> Bool {
        try await exchange.get("/v1/app/\(key)?branch_secret=\(secret)").status == 200
    }

    @Test func aFormerSecretIsAcceptedUntilItsOverlapIsOver() async throws {
        try await Exchange.run { exchange in
            let app = try await exchange.installation.createApp()
            let (key, scope) = (app.live.key.branchKey, app.live.key.scope)
            let (new, end) = try await exchange.services.keyRotation.rotateSecret(of: scope, overlap: try RotationOverlap("2d"))
            #expect(end == exchange.installation.clock.now + .seconds(2 * 86400))
            #expect(try await Self.reads(exchange, key, app.live.secret))
            #expect(try await Self.reads(exchange, key, new))
            // The other side has its own secret.
            #expect(try await !Self.reads(exchange, app.test.key.branchKey, new))
            #expect(try await Self.reads(exchange, app.test.key.branchKey, app.test.secret))

            exchange.installation.clock.advance(by: .seconds(2 * 86400 - 1))
            #expect(try await Self.reads(exchange, key, app.live.secret))
            exchange.installation.clock.advance(by: .seconds(1))
            #expect(try await !Self.reads(exchange, key, app.live.secret))
            #expect(try await Self.reads(exchange, key, new))
        }
    }

    @Test func aFormerSecretIsEndedEarly() async throws {
        try await Exchange.run { exchange in
            let app = try await exchange.installation.createApp()
            let (key, scope) = (app.live.key.branchKey, app.live.key.scope)
            let rotation = exchange.services.keyRotation
            let (second, _) = try await rotation.rotateSecret(of: scope, overlap: .forever)
            let (third, _) = try await rotation.rotateSecret(of: scope, overlap: try RotationOverlap("30d"))
            #expect(try await Self.reads(exchange, key, app.live.secret))
            #expect(try await Self.reads(exchange, key, second))
            #expect(try await rotation.endFormerSecrets(of: scope) == 2)
            #expect(try await !Self.reads(exchange, key, app.live.secret))
            #expect(try await !Self.reads(exchange, key, second))
            #expect(try await Self.reads(exchange, key, third))
            #expect(try await rotation.endFormerSecrets(of: scope) == 0)
            let (_, end) = try await rotation.rotateSecret(of: scope, overlap: try RotationOverlap("0"))
            #expect(end == exchange.installation.clock.now)
            #expect(try await !Self.reads(exchange, key, third))
        }
    }

    /// A wrong secret is compared with each.
    @Test func tenFormerSecretsAreAcceptedAtMost() async throws {
        try await Exchange.run { exchange in
            let app = try await exchange.installation.createApp()
            let (key, scope, rotation) = (app.live.key.branchKey, app.live.key.scope, exchange.services.keyRotation)
            for _ in 0..<10 { _ = try await rotation.rotateSecret(of: scope, overlap: try RotationOverlap("1d")) }
            #expect(try await Self.reads(exchange, key, app.live.secret))
            let failure = await #expect(throws: Failure.self) { try await rotation.rotateSecret(of: scope, overlap: .forever) }
            #expect(failure?.code == .conflict && failure?.message.contains("has 10 former secrets") == true)
            _ = try await rotation.rotateSecret(of: app.test.key.scope, overlap: .forever)
            exchange.installation.clock.advance(by: .seconds(86400))
            _ = try await rotation.rotateSecret(of: scope, overlap: .forever)
        }
    }

    @Test func aHundredFormerSecretsAreKeptAndThoseOfTheOtherSide() async throws {
        try await Exchange.run { exchange in
            let app = try await exchange.installation.createApp()
            let (scope, rotation) = (app.live.key.scope, exchange.services.keyRotation)
            _ = try await rotation.rotateSecret(of: app.test.key.scope, overlap: try RotationOverlap("0"))
            _ = try await rotation.rotateSecret(of: scope, overlap: .forever)
            for _ in 0..<99 { _ = try await rotation.rotateSecret(of: scope, overlap: try RotationOverlap("0")) }
            #expect(try await exchange.rows("SELECT COUNT(*) FROM former_secrets") == 101)
            _ = try await rotation.rotateSecret(of: scope, overlap: try RotationOverlap("0"))
            #expect(try await exchange.rows("SELECT COUNT(*) FROM former_secrets WHERE mode = 0") == 2, "one is accepted still")
            #expect(try await exchange.rows("SELECT COUNT(*) FROM former_secrets WHERE mode = 1") == 1)
            #expect(try await Self.reads(exchange, app.live.key.branchKey, app.live.secret))
        }
    }

    @Test func aSideHasAHundredFormerKeysAtMost() async throws {
        try await Exchange.run { exchange in
            let app = try await exchange.installation.createApp()
            let (scope, rotation) = (app.live.key.scope, exchange.services.keyRotation)
            for _ in 0..<100 { _ = try await rotation.rotateKey(of: scope, overlap: try RotationOverlap("0")) }
            let failure = await #expect(throws: Failure.self) { try await rotation.rotateKey(of: scope, overlap: .forever) }
            #expect(failure?.code == .conflict && failure?.message.contains("at most 100 former keys") == true)
            _ = try await rotation.rotateKey(of: app.test.key.scope, overlap: .forever)
        }
    }

    /// Exports before and after a rotation can be joined by the URL.
    @Test func aLongLinkHasOneAddressInAllExports() async throws {
        try await Exchange.run { exchange in
            let app = try await exchange.installation.createApp()
            let (old, scope) = (app.live.key.branchKey, app.live.key.scope)
            _ = try await exchange.get("/a/\(old)?channel=sms", userAgent: UserAgents.android)
            exchange.installation.clock.advance(by: .seconds(2))
            let before = try await Self.exportedClicks(exchange, scope)
            _ = try await exchange.services.keyRotation.rotateKey(of: scope, overlap: .forever)
            _ = try await exchange.services.keyRotation.rotateKey(of: scope, overlap: .forever)
            #expect(before.contains("https://go.example.com/a/\(old)?channel=sms"))
            #expect(try await Self.exportedClicks(exchange, scope) == before)
        }
    }

    /// The links' URLs in the export of all clicks.
    private static func exportedClicks(_ exchange: Exchange, _ scope: Scope) async throws -> String {
        var request = ExportRequest(
            scope: scope, topic: .click, range: try ExportRange(from: nil, to: nil, now: exchange.installation.clock.now))
        request.columns = try ExportColumn.columns(named: ["last_attributed_touch_data_plus_url"], of: .click)
        var cursor = try await exchange.services.exports.begin(request)
        var bytes: [UInt8] = []
        while let more = try await cursor.next() { bytes += more }
        return String(decoding: bytes, as: UTF8.self)
    }

    @Test func aFormerKeyIsAnsweredUntilItEndsAndItsLinksLeadOnForGood() async throws {
        try await Exchange.run { exchange in
            let app = try await exchange.installation.createApp()
            let (old, scope) = (app.live.key.branchKey, app.live.key.scope)
            let short = try await exchange.createLink(old, ["alias": "pears"])
            let long =
                "/a/\(old)?channel=sms&data="
                + PercentCoding.encodeQueryValue(Data(#"{"variety":"Cox"}"#.utf8).base64EncodedString())
            let user = try await exchange.install(old, from: "192.0.2.9").object

            let (key, former) = try await exchange.services.keyRotation.rotateKey(of: scope, overlap: try RotationOverlap("1d"))
            #expect(former.branchKey == old && key.branchKey != old && key.branchKey.hasPrefix("key_live_"))
            for each in [old, key.branchKey] {
                #expect(try await Self.reads(exchange, each, app.live.secret))
                _ = try await exchange.createLink(each)
            }
            // The current key is the new one.
            #expect(try await exchange.services.apps.context(String(app.app.id.rawValue)).key.branchKey == key.branchKey)

            exchange.installation.clock.advance(by: .seconds(86400))
            let refused = try await exchange.post("/v1/url", ["branch_key": .string(old)])
            #expect(refused.status == 400 && refused.errorMessage?.contains("replaced") == true)
            #expect(try await !Self.reads(exchange, old, app.live.secret))
            let again = try await exchange.post(
                "/v1/open",
                ["branch_key": .string(key.branchKey), "identity_id": user["identity_id"]!, "sdk": "ios1.30.0", "os": "iOS"])
            #expect(again.object["identity_id"] == user["identity_id"])
            for path in [short, long] {
                let click = try await exchange.get(path, from: "192.0.2.77")
                #expect(click.status == 200, "\(path)")
                let id = try #require(click.linkClickID)
                #expect(try await exchange.get("/c/\(id)", userAgent: UserAgents.desktop).status == 302)
                let install = try await exchange.install(key.branchKey, ["link_identifier": .string(id)], from: "192.0.2.78")
                #expect(try install.data["+clicked_branch_link"] == true)
                if path == long { #expect(try install.data["variety"] == "Cox") }
            }
            let direct = try await exchange.install(
                key.branchKey, ["universal_link_url": .string("https://go.example.com" + long)], from: "192.0.2.79")
            #expect(try direct.data["variety"] == "Cox")
        }
    }

    @Test func aFormerKeyIsEndedEarlyAndAPresentOneIsNot() async throws {
        try await Exchange.run { exchange in
            let app = try await exchange.installation.createApp()
            let (old, rotation) = (app.live.key.branchKey, exchange.services.keyRotation)
            await #expect(throws: Failure.self) { _ = try await rotation.endKey(old) }
            _ = try await rotation.rotateKey(of: app.live.key.scope, overlap: .forever)
            exchange.installation.clock.advance(by: .seconds(3650 * 86400))
            #expect(try await Self.reads(exchange, old, app.live.secret))
            _ = try await rotation.endKey(old)
            #expect(try await !Self.reads(exchange, old, app.live.secret))
            #expect(try await exchange.get("/a/\(old)?x=1").status == 200)
        }
    }

    /// The signed URL of each kind of file contains its own authorization.
    @Test(arguments: ["revoke", "end", "rotate"])
    func addressesOfFilesAreRevokedWithTheSecretOrByThemselves(way: String) async throws {
        try await Exchange.run { exchange in
            let app = try await exchange.installation.createApp()
            let other = try await exchange.installation.createApp("Other")
            let (services, scope) = (exchange.services, app.live.key.scope)
            let token = try await services.tokens.create(name: "t", role: .admin, app: nil).secret
            let access: HTTPFields = [HTTPField.Name("Access-Token")!: token]
            func days(_ app: CreatedApp, _ secret: String) async throws -> String {
                let body: JSON = [
                    "branch_key": .string(app.live.key.branchKey), "branch_secret": .string(secret), "export_date": "2027-01-01",
                ]
                let answer = try await exchange.post("/v3/export", body).object
                return try #require(answer.first { $0.key == "eo_click" }?.value.array?.first?.string)
            }
            exchange.installation.clock.advance(by: .seconds(400 * 86400))
            _ = try await exchange.install(app.live.key.branchKey, ["identity": "ann", "sdk": "ios1.30.0"])
            let gdpr = try await exchange.post(
                "/v1/gdpr?app_id=\(app.app.id)",
                [
                    "subject_request_type": "ACCESS",
                    "subject_identities": [["identity_type": "DEVELOPER_ID", "identity_value": "ann"]],
                ], headers: access)
            let person = try await exchange.post(
                "/v1/gdpr/status", ["request_id": gdpr.object["request_id"] ?? .null], headers: access)
            let ofPerson = person.object["export_url"]?.string
            let (first, secret) = try await services.keyRotation.rotateSecret(of: scope, overlap: .forever).secret.pair(
                app.live.secret)
            var urls = [try await days(app, first), try await days(app, secret), ofPerson].compactMap { $0 }
            let others = try await days(other, other.live.secret)
            func status(_ url: String) async throws -> Int {
                try await exchange.get(url.replacing("https://go.example.com", with: "")).status
            }
            #expect(urls.count == 3, "\(gdpr.body) \(person.body)")
            for url in urls + [others] { #expect(try await status(url) == 200, "\(url)") }
            switch way {
            case "revoke": try await services.keyRotation.revokeSignedURLs(of: app.app.id)
            case "end": _ = try await services.keyRotation.endFormerSecrets(of: scope)
            default: _ = try await services.keyRotation.rotateSecret(of: scope, overlap: try RotationOverlap("0"))
            }
            for url in urls { #expect(try await status(url) == 403, "\(url)") }
            #expect(try await status(others) == 200)
            guard way == "revoke" else { return }
            urls = [try await days(app, first)]
            #expect(try await status(urls[0]) == 200)
        }
    }

    @Test(arguments: ["", "30", "d", "-1d", "1w", "99999d", "soon", "2027-13-01"])
    func whatIsNoOverlapIsRefused(text: String) {
        #expect(throws: Failure.self) { try RotationOverlap(text) }
    }

    @Test func anOverlapIsATimeOrADate() throws {
        #expect(try RotationOverlap("30d") == .lasting(.seconds(30 * 86400)))
        #expect(try RotationOverlap("12h") == .lasting(.seconds(12 * 3600)))
        #expect(try RotationOverlap("forever") == .forever)
        #expect(try RotationOverlap("2027-01-31") == .until(try #require(Timestamp(iso8601: "2027-01-31T00:00:00Z"))))
    }
}

extension String {
    fileprivate func pair(_ other: String) -> (String, String) { (self, other) }
}
