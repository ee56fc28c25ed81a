import Linden
import LindenKernel
import LindenReporting
import LindenServices
import LindenTesting
import Testing

@Suite struct SessionRoutesTests {
    @Test func everyAnswerHasBothNamesOfBothTokensAsStringsOfDigits() async throws {
        try await Exchange.run { exchange in
            let key = try await exchange.installation.createApp().live.key.branchKey
            let answer = try await exchange.install(key)
            #expect(answer.status == 200)
            for name in [
                "session_id", "identity_id", "randomized_bundle_token", "device_fingerprint_id", "randomized_device_token",
            ] {
                #expect(answer.object[name]?.string?.wholeMatch(of: /[0-9]{18}/) != nil, "\(name)")
            }
            #expect(answer.object["identity_id"] == answer.object["randomized_bundle_token"])
            #expect(answer.object["device_fingerprint_id"] == answer.object["randomized_device_token"])
            let identity = try #require(answer.object["identity_id"]?.string)
            let link = try #require(answer.object["link"]?.string)
            // The link is sent to others, so its token must not give access as the user.
            #expect(link.wholeMatch(of: /https:\/\/go\.example\.com\/a\/(\w+)\?%24identity_id=([0-9]{18})/)?.1 == key[...])
            #expect(!link.contains(identity))
            #expect(try answer.data == ["+clicked_branch_link": false, "+is_first_session": true])
            #expect(!answer.body.contains("null"))
        }
    }

    @Test func anOpenByTheClickIdIsCertain() async throws {
        try await Exchange.run { exchange in
            let key = try await exchange.installation.createApp().live.key.branchKey
            let path = try await exchange.createLink(key, ["channel": "sms", "data": ["variety": "Cox"]])
            let installed = try await exchange.install(key, from: "198.51.100.1")
            let click = try #require(try await exchange.get(path + "?extra=1&channel=mail").linkClickID)

            let opened = try await exchange.post(
                "/v1/open",
                [
                    "branch_key": .string(key), "device_fingerprint_id": installed.object["device_fingerprint_id"]!,
                    "identity_id": installed.object["identity_id"]!, "link_identifier": .string(click),
                ], from: "192.0.2.99")

            let data = try opened.data
            #expect(data["+clicked_branch_link"] == true)
            #expect(data["+match_guaranteed"] == true)
            #expect(data["+is_first_session"] == false)
            #expect(data["variety"] == "Cox")
            #expect(data["extra"] == "1")
            #expect(data["~channel"] == "mail")
            #expect(data["~referring_link"] == .string("https://go.example.com" + path + "?extra=1&channel=mail"))
            #expect(opened.object["identity_id"] == installed.object["identity_id"])
            #expect(opened.object["link_click_id"] == .string(click))
        }
    }

    @Test(arguments: ["universal_link_url", "android_app_link_url", "push_identifier"])
    func anOpenByTheLinkItselfIsAClickAndCertain(field: String) async throws {
        try await Exchange.run { exchange in
            let key = try await exchange.installation.createApp().live.key.branchKey
            let path = try await exchange.createLink(key, ["alias": "pears", "data": ["variety": "Conference"]])

            let answer = try await exchange.install(key, [field: .string("https://go.example.com\(path)?from=push")])

            #expect(try answer.data["+clicked_branch_link"] == true)
            #expect(try answer.data["+match_guaranteed"] == true)
            #expect(try answer.data["from"] == "push")
            let link = try await exchange.services.links.find("pears")
            #expect(
                try await exchange.services.statistics.statistics(of: link.id, in: link.scope)
                    == LinkStatistics(clicks: 1, sessions: 1, installs: 1))
        }
    }

    @Test func aForeignURLIsNoClickAndKeepsTheFingerprintFromGuessing() async throws {
        try await Exchange.run { exchange in
            let key = try await exchange.installation.createApp().live.key.branchKey
            _ = try await exchange.get(try await exchange.createLink(key))
            let answer = try await exchange.install(key, ["universal_link_url": "https://elsewhere.example/x"])
            #expect(try answer.data["+clicked_branch_link"] == false)
            #expect(try answer.data["+non_branch_link"] == "https://elsewhere.example/x")
        }
    }

    /// The address may have a secret in it, such as that of an invitation.
    @Test(arguments: ["/dashboard/set-up/secret", "/API/v1/exports/orchard.csv?signature=secret"])
    func anAddressOfTheServersOwnPagesIsNeitherStoredNorReturned(path: String) async throws {
        try await Exchange.run { exchange in
            let key = try await exchange.installation.createApp().live.key.branchKey
            let answer = try await exchange.install(key, ["universal_link_url": .string("https://go.example.com" + path)])
            #expect(try answer.data["+clicked_branch_link"] == false)
            #expect(try answer.data["+non_branch_link"] == nil)
            #expect(try await exchange.rows("SELECT COUNT(*) FROM sessions WHERE data LIKE '%secret%'") == 0)
            let elsewhere = try await exchange.install(key, ["universal_link_url": .string("https://elsewhere.example" + path)])
            #expect(try elsewhere.data["+non_branch_link"] == .string("https://elsewhere.example" + path))
        }
    }

    @Test func aClickIsGivenToOneInstallOnly() async throws {
        try await Exchange.run { exchange in
            let key = try await exchange.installation.createApp().live.key.branchKey
            _ = try await exchange.get(try await exchange.createLink(key))
            #expect(try await exchange.install(key).data["+clicked_branch_link"] == true)
            #expect(try await exchange.install(key).data["+clicked_branch_link"] == false)
        }
    }

    @Test func aClickIsForgottenWhenItsWindowIsOver() async throws {
        try await Exchange.run { exchange in
            let key = try await exchange.installation.createApp().live.key.branchKey
            _ = try await exchange.get(try await exchange.createLink(key))
            exchange.installation.clock.advance(by: .seconds(7201))
            #expect(try await exchange.install(key).data["+clicked_branch_link"] == false)
        }
    }

    @Test func anOddFieldNeverCostsAnInstall() async throws {
        try await Exchange.run { exchange in
            let key = try await exchange.installation.createApp().live.key.branchKey
            let long = JSON.string(String(repeating: "9", count: 400))
            let odds: [JSON] = [nil, 0, -1, .decimal("1.5"), "", "bnc_no_value", [], .object([:]), true, long]
            for odd in odds {
                let answer = try await exchange.install(
                    key,
                    [
                        "device_fingerprint_id": odd, "identity_id": odd, "link_identifier": odd, "os_version": odd,
                        "identity": odd,
                        "universal_link_url": odd, "hardware_id": odd, "metadata": odd, "unheard_of": odd,
                    ])
                #expect(answer.status == 200, "\(odd)")
            }
        }
    }

    @Test func aKnownDeviceTokenAloneFindsItsUser() async throws {
        try await Exchange.run { exchange in
            let key = try await exchange.installation.createApp().live.key.branchKey
            let first = try await exchange.post("/v1/open", ["branch_key": .string(key), "os": "Linux", "sdk": "native"])
            #expect(try first.data["+is_first_session"] == true)
            let second = try await exchange.post(
                "/v1/open", ["branch_key": .string(key), "device_fingerprint_id": first.object["device_fingerprint_id"]!])
            #expect(second.object["identity_id"] == first.object["identity_id"])
            #expect(try second.data["+is_first_session"] == false)
        }
    }

    @Test func theDevelopersUserIdIsEchoed() async throws {
        try await Exchange.run { exchange in
            let key = try await exchange.installation.createApp().live.key.branchKey
            let first = try await exchange.install(key, ["identity": "ann"])
            let other = try await exchange.install(key, ["identity": "ann"], from: "198.51.100.9")
            #expect(first.object["identity"] == "ann")
            #expect(other.object["identity_id"] == first.object["identity_id"])
        }
    }

    @Test(
        arguments: [
            ["google_advertising_id": "00000000-0000-0000-0000-000000000000"], ["ios_vendor_id": "0"],
            ["hardware_id": "00000000-0000-0000-0000-000000000000", "is_hardware_id_real": true], ["ios_vendor_id": "null"],
        ] as [JSONObject])
    func anIdThatAllDevicesShareIdentifiesNoUser(device: JSONObject) async throws {
        try await Exchange.run { exchange in
            let key = try await exchange.installation.createApp().live.key.branchKey
            let alice = try await exchange.install(key, device.merging(["identity": "alice"]))
            let stranger = try await exchange.install(key, device)
            #expect(stranger.object["identity"] == nil)
            #expect(stranger.object["identity_id"] != alice.object["identity_id"])
            #expect(stranger.object["device_fingerprint_id"] != alice.object["device_fingerprint_id"])
        }
    }

    @Test func aReinstallOnTheSameDeviceKeepsItsUser() async throws {
        try await Exchange.run { exchange in
            let key = try await exchange.installation.createApp().live.key.branchKey
            let first = try await exchange.install(key, ["ios_vendor_id": "A1B2"])
            let second = try await exchange.install(key, ["ios_vendor_id": "A1B2"])
            #expect(first.object["device_fingerprint_id"] == second.object["device_fingerprint_id"])
            #expect(first.object["identity_id"] == second.object["identity_id"])
        }
    }

    @Test func aClickOnALinkDeletedSinceIsNotMatchedAndTiesWithNothing() async throws {
        try await Exchange.run { exchange in
            let key = try await exchange.installation.createApp().live.key.branchKey
            let gone = try await exchange.createLink(key, ["alias": "gone"])
            let kept = try await exchange.createLink(key, ["channel": "kept"])
            let click = try #require(try await exchange.get(gone).linkClickID)
            _ = try await exchange.get(kept)
            try await exchange.services.links.delete(exchange.services.links.find("gone").id)

            let byID = try await exchange.install(key, ["link_identifier": .string(click), "os": "tvOS"])
            #expect(try byID.data["+clicked_branch_link"] == false)
            #expect(byID.object["link_click_id"] == nil)
            #expect(try await exchange.install(key).data["~channel"] == "kept")
        }
    }

    @Test func aCloseIsAlwaysAnsweredWithAnEmptyObject() async throws {
        try await Exchange.run { exchange in
            let key = try await exchange.installation.createApp().live.key.branchKey
            let session = try #require(try await exchange.install(key).object["session_id"])
            for id: JSON in [session, session, "123", nil] {
                let answer = try await exchange.post("/v1/close", ["branch_key": .string(key), "session_id": id])
                #expect(answer.status == 200)
                #expect(answer.body == "{}")
            }
        }
    }
}
