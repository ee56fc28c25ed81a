import Foundation
import HTTPTypes
import Linden
import LindenKernel
import LindenServices
import LindenTesting
import LinkRouting
import MaxMindDB
import SQLStorage
import SQLiteStorage
import Testing

/// Client hints of visits.
@Suite struct ClientHintRoutesTests {
    private static let chromeBrands = #""Chromium";v="144", "Google Chrome";v="144", "Not/A)Brand";v="8""#
    private static let reduced =
        "Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/144.0.0.0 Mobile Safari/537.36"

    private static func hints(platform: String, mobile: String = "?1", model: String? = nil, version: String? = nil) -> HTTPFields {
        var fields: HTTPFields = [
            HTTPField.Name("Sec-CH-UA")!: chromeBrands, HTTPField.Name("Sec-CH-UA-Platform")!: "\"\(platform)\"",
            HTTPField.Name("Sec-CH-UA-Mobile")!: mobile,
        ]
        fields[HTTPField.Name("Sec-CH-UA-Model")!] = model.map { "\"\($0)\"" }
        fields[HTTPField.Name("Sec-CH-UA-Platform-Version")!] = version.map { "\"\($0)\"" }
        return fields
    }

    @Test func anAndroidTabletThatAsksAsAComputerIsSentWhereAndroidGoes() async throws {
        try await Exchange.run { exchange in
            let key = try await exchange.installation.createApp().live.key.branchKey
            let path = try await exchange.createLink(key, ["data": ["$desktop_url": "https://orchard.example.com/desktop"]])

            let tablet = try await exchange.get(
                path, userAgent: UserAgents.desktop, headers: Self.hints(platform: "Android", mobile: "?0"))
            let computer = try await exchange.get(
                path, userAgent: UserAgents.desktop, headers: Self.hints(platform: "Linux", mobile: "?0"))

            #expect(tablet.status == 200)
            #expect(tablet.body.contains("id=com.example.orchard"))
            #expect(try await exchange.click(tablet).visitor.device == .androidTablet)
            #expect(computer.location?.hasPrefix("https://orchard.example.com/desktop?") == true)
        }
    }

    @Test func visitorsOfOneUserAgentAreDistinguishedByTheirHints() async throws {
        try await Exchange.run { exchange in
            let key = try await exchange.installation.createApp().live.key.branchKey
            let path = try await exchange.createLink(key)
            // Twice each, because parsed user agents are cached.
            for _ in 0..<2 {
                for (model, version, maker) in [("Pixel 8", "15", DeviceMaker.google), ("SM-S918B", "14", .samsung)] {
                    let answer = try await exchange.get(
                        path, userAgent: Self.reduced,
                        headers: Self.hints(platform: "Android", model: model, version: version + ".0.0"))
                    let visitor = try await exchange.click(answer).visitor
                    #expect(visitor.model == model)
                    #expect(visitor.osVersion == version)
                    #expect(visitor.maker == maker)
                    #expect(visitor.browser == WebBrowser(.chrome, version: "144"))
                }
            }
            let unhinted = try await exchange.click(exchange.get(path, userAgent: Self.reduced)).visitor
            #expect(unhinted.model == nil)
            #expect(unhinted.osVersion == nil)
        }
    }

    /// Two phones behind one address, with equal user agents.
    @Test func anInstallIsMatchedByTheVersionThatOnlyHintsTell() async throws {
        try await Exchange.run { exchange in
            let key = try await exchange.installation.createApp().live.key.branchKey
            for (variety, version) in [("Cox", "15.0.0"), ("Elstar", "14.0.0")] {
                let path = try await exchange.createLink(key, ["data": ["variety": .string(variety)]])
                _ = try await exchange.get(
                    path, userAgent: Self.reduced, headers: Self.hints(platform: "Android", version: version))
            }
            let opened = try await exchange.post(
                "/v1/install",
                [
                    "branch_key": .string(key), "os": "Android", "os_version": "35", "os_version_android": "15",
                    "sdk": "android5.12.0",
                ])
            #expect(try opened.data["variety"] == "Cox")
        }
    }

    @Test func aBrowserIsAskedToSayMoreButNeverToAskTwice() async throws {
        try await Exchange.run { exchange in
            let key = try await exchange.installation.createApp().live.key.branchKey
            let path = try await exchange.createLink(key, ["data": ["$desktop_url": "https://orchard.example.com/"]])
            for userAgent in [UserAgents.android, UserAgents.desktop] {
                let answer = try await exchange.get(path, userAgent: userAgent)
                #expect(answer.headers[HTTPField.Name("Accept-CH")!] == "Sec-CH-UA-Model, Sec-CH-UA-Platform-Version")
                #expect(answer.headers[HTTPField.Name("Critical-CH")!] == nil)
            }
        }
    }

    @Test func hugeHintsAreCutBeforeAnythingIsKeptOfThem() async throws {
        try await Exchange.run { exchange in
            let key = try await exchange.installation.createApp().live.key.branchKey
            let long = String(repeating: "x\u{301}", count: 500)
            let answer = try await exchange.get(
                exchange.createLink(key), userAgent: Self.reduced,
                headers: Self.hints(platform: "Android", model: long, version: "9" + long))
            let visitor = try await exchange.click(answer).visitor
            #expect(visitor.model == String(repeating: "x", count: 64))
            #expect(visitor.osVersion == "9")
        }
    }
}
