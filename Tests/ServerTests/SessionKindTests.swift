import Linden
import LindenKernel
import LindenReporting
import LindenServices
import LindenTesting
import Testing

/// The kind of a session.
@Suite struct SessionKindTests {
    private static func kind(_ answer: Exchange.Answer, _ exchange: Exchange) async throws -> String {
        let id = try #require(answer.object["session_id"]?.string)
        return try await exchange.services.explanations.session(id).kind.name
    }

    @Test(arguments: [["ios_vendor_id": "V1"], ["hardware_id": "H1", "is_hardware_id_real": true]] as [JSONObject])
    func anInstallOnADeviceThatWasSeenBeforeIsAReinstall(device: JSONObject) async throws {
        try await Exchange.run { exchange in
            let key = try await exchange.installation.createApp().live.key.branchKey
            let first = try await exchange.install(key, device)
            #expect(try await Self.kind(first, exchange) == "install")
            #expect(try first.data["+is_first_session"] == true)
            let second = try await exchange.install(key, device)
            #expect(try await Self.kind(second, exchange) == "reinstall")
            #expect(try second.data["+is_first_session"] == false)
            let open = try await exchange.post(
                "/v1/open", ["branch_key": .string(key), "device_fingerprint_id": second.object["device_fingerprint_id"]!])
            #expect(try await Self.kind(open, exchange) == "open")
        }
    }

    @Test func anotherAppAndTheOtherModeMakeNoReinstall() async throws {
        try await Exchange.run { exchange in
            let app = try await exchange.installation.createApp()
            let other = try await exchange.installation.createApp("Other")
            for key in [app.live.key.branchKey, app.test.key.branchKey, other.live.key.branchKey] {
                let answer = try await exchange.install(key, ["ios_vendor_id": "V1"])
                #expect(try await Self.kind(answer, exchange) == "install")
            }
        }
    }

    @Test func aReinstallIsGivenItsLinkAndKeepsTheFirstParameters() async throws {
        try await Exchange.run { exchange in
            let key = try await exchange.installation.createApp().live.key.branchKey
            let paths = [
                try await exchange.createLink(key, ["channel": "mail"]), try await exchange.createLink(key, ["channel": "sms"]),
            ]
            var last: Exchange.Answer?
            for path in paths {
                let click = try #require(try await exchange.get(path).linkClickID)
                last = try await exchange.install(key, ["ios_vendor_id": "V1", "link_identifier": .string(click)])
            }
            let again = try #require(last)
            #expect(try again.data["~channel"] == "sms")
            let named = try await exchange.post(
                "/v1/profile",
                ["branch_key": .string(key), "identity_id": again.object["identity_id"]!, "identity": "ann"])
            let first = try JSON.parse(try #require(named.object["referring_data"]?.string)).object
            #expect(first?["~channel"] == "mail")
        }
    }

    @Test func aReinstallCountsAsASessionOfItsLinkAndNotAsAnInstall() async throws {
        try await Exchange.run { exchange in
            let key = try await exchange.installation.createApp().live.key.branchKey
            let link = try await exchange.services.links.find(
                String(try await exchange.createLink(key, ["alias": "pears"]).dropFirst()))
            for _ in 1...2 {
                let click = try #require(try await exchange.get("/pears").linkClickID)
                _ = try await exchange.install(key, ["ios_vendor_id": "V1", "link_identifier": .string(click)])
            }
            let expected = LinkStatistics(clicks: 2, sessions: 2, installs: 1)
            #expect(try await exchange.services.statistics.statistics(of: link.id, in: link.scope) == expected)
            exchange.installation.clock.advance(by: .seconds(60))
            try await exchange.services.statistics.aggregate()
            #expect(try await exchange.services.statistics.statistics(of: link.id, in: link.scope) == expected)
        }
    }

    // MARK: App Clips and instant apps

    @Test func theWholeAppGoesOnWithItsClipsDeviceAndUser() async throws {
        try await Exchange.run { exchange in
            let key = try await exchange.installation.createApp().live.key.branchKey
            let path = try await exchange.createLink(key, ["channel": "poster"])
            let clip = try await exchange.install(
                key, ["environment": "APP_CLIP", "universal_link_url": .string("https://go.example.com" + path)])
            #expect(try await Self.kind(clip, exchange) == "install")
            let app = try await exchange.install(
                key,
                [
                    "environment": "FULL_APP", "app_clip_bundle_id": "com.example.orchard.Clip",
                    "app_clip_randomized_device_token": clip.object["randomized_device_token"]!,
                    "app_clip_randomized_bundle_token": clip.object["randomized_bundle_token"]!,
                    "universal_link_url": .string("https://go.example.com" + path),
                ])
            #expect(try await Self.kind(app, exchange) == "full_app_conversion")
            #expect(app.object["randomized_device_token"] == clip.object["randomized_device_token"])
            #expect(app.object["randomized_bundle_token"] == clip.object["randomized_bundle_token"])
            #expect(try app.data["+is_first_session"] == true)
            #expect(try app.data["~channel"] == "poster")
            // The clip's token does not cause a second conversion.
            let again = try await exchange.install(
                key, ["environment": "FULL_APP", "app_clip_randomized_device_token": clip.object["randomized_device_token"]!])
            #expect(try await Self.kind(again, exchange) == "reinstall")
        }
    }

    @Test func anAndroidInstantAppsUserConverts() async throws {
        try await Exchange.run { exchange in
            let key = try await exchange.installation.createApp().live.key.branchKey
            let path = try await exchange.createLink(key, ["channel": "search"])
            let install = try await exchange.install(
                key,
                [
                    "os": "Android", "environment": "FULL_APP", "is_full_app_conversion": true,
                    "android_app_link_url": .string("https://go.example.com" + path),
                ])
            #expect(try await Self.kind(install, exchange) == "full_app_conversion")
            #expect(try install.data["~channel"] == "search")
        }
    }

    @Test func aDeviceThatHadOnlyTheClipConvertsByItsOwnId() async throws {
        try await Exchange.run { exchange in
            let key = try await exchange.installation.createApp().live.key.branchKey
            var kinds: [String] = []
            for environment: JSON in ["APP_CLIP", "APP_CLIP", "FULL_APP", "FULL_APP"] {
                let answer = try await exchange.install(key, ["ios_vendor_id": "V1", "environment": environment])
                kinds.append(try await Self.kind(answer, exchange))
            }
            #expect(kinds == ["install", "reinstall", "full_app_conversion", "reinstall"])
        }
    }

    @Test func tokensOfAnotherAppsClipAreIgnored() async throws {
        try await Exchange.run { exchange in
            let theirs = try await exchange.installation.createApp("Other").live.key.branchKey
            let clip = try await exchange.install(theirs, ["environment": "APP_CLIP"])
            let key = try await exchange.installation.createApp().live.key.branchKey
            let app = try await exchange.install(
                key,
                [
                    "app_clip_randomized_device_token": clip.object["randomized_device_token"]!,
                    "app_clip_randomized_bundle_token": clip.object["randomized_bundle_token"]!,
                ])
            #expect(app.object["randomized_device_token"] != clip.object["randomized_device_token"])
            #expect(app.object["randomized_bundle_token"] != clip.object["randomized_bundle_token"])
        }
    }

    @Test func anInstallThatIsNotTrackedIsAlwaysAFirstSession() async throws {
        try await Exchange.run { exchange in
            let key = try await exchange.installation.createApp().live.key.branchKey
            let answer = try await exchange.install(key, ["tracking_disabled": true])
            #expect(try answer.data["+is_first_session"] == true)
        }
    }

    // MARK: Debug mode

    @Test func inDebugModeATestKeysEveryInstallIsANewUser() async throws {
        try await Exchange.run { exchange in
            let app = try await exchange.installation.createApp()
            for (key, isNew) in [(app.test.key.branchKey, true), (app.live.key.branchKey, false)] {
                let device: JSONObject = ["ios_vendor_id": "V1", "debug": true]
                let first = try await exchange.install(key, device)
                let second = try await exchange.install(key, device)
                #expect(try await Self.kind(second, exchange) == (isNew ? "install" : "reinstall"))
                #expect(try second.data["+is_first_session"] == .bool(isNew))
                #expect((first.object["identity_id"] != second.object["identity_id"]) == isNew)
                let open = try await exchange.post(
                    "/v1/open",
                    .object(
                        device.merging([
                            "branch_key": .string(key), "device_fingerprint_id": second.object["device_fingerprint_id"]!,
                        ])))
                #expect(open.object["identity_id"] == second.object["identity_id"])
            }
        }
    }
}
