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

/// The country and the class of a click's address.
@Suite struct ClickOriginTests {
    @Test func aVisitorIsRedirectedByCountry() async throws {
        let file = MaxMindFileBuilder.bytes(["203.0.113.0/24": "DE", "2001:db8:1::/48": "FR"])
        try await Installation.withFolder { folder in
            let path = folder + "/countries.mmdb"
            try Data(file).write(to: URL(filePath: path))
            let database = try NetworkDatabase(path: path, of: .country)
            try await Exchange.run(country: { database.value(of: $0.bytes) }) { exchange in
                let key = try await exchange.installation.createApp().live.key.branchKey
                let link = try await exchange.createLink(
                    key,
                    [
                        "data": [
                            "$ios_url": "https://shop.example/", "$ios_url_de": "https://shop.example/de",
                            "$ios_url_fr": "https://shop.example/fr", "$web_only": true,
                            "$fallback_url": "https://shop.example/", "$fallback_url_de": "https://shop.example/desktop/de",
                        ]
                    ])
                // The log stores only an IPv6 address's /64, but the country is that of the whole address.
                for (address, page, country) in [
                    ("203.0.113.9", "https://shop.example/de", "DE"), ("2001:db8:1:2:3:4:5:6", "https://shop.example/fr", "FR"),
                    ("192.0.2.1", "https://shop.example/", nil),
                ] {
                    let answer = try await exchange.get(link, from: address)
                    #expect(answer.location?.hasPrefix(page + "?_branch_match_id=") == true)
                    #expect(try await exchange.lastClick().visitor.country == country)
                }
                let computer = try await exchange.get(link, userAgent: UserAgents.desktop, from: "203.0.113.9")
                #expect(computer.location?.hasPrefix("https://shop.example/desktop/de?") == true)
            }
        }
    }

    @Test func theClassOfAnAddressIsLoggedWhichIsWorkedOutWhileTheAddressIsWhole() async throws {
        let classifier = AddressClassifier(
            sharedNetworks: NetworkSet(["203.0.113.0/25", "2001:db8:1:2:3::/80"].compactMap { Network($0) }), sharedOwners: [64500],
            owner: { $0.matchKey == "192.0.2.1" ? 64500 : nil })
        try await Exchange.run(addressClass: { classifier.addressClass(of: $0) }) { exchange in
            let key = try await exchange.installation.createApp().live.key.branchKey
            let path = try await exchange.createLink(key)
            for (address, expected) in [
                ("203.0.113.9", AddressClass.listed), ("203.0.113.129", .plain), ("192.0.2.1", .owner),
                ("2001:db8:1:2:3::9", .listed), ("2001:db8:1:2:4::9", .plain),
            ] {
                _ = try await exchange.get(path, userAgent: UserAgents.android, from: address)
                let click = try await exchange.lastClick()
                #expect(click.addressClass == expected, "\(address)")
                let open = try await exchange.installation.storage.read { reader in
                    try reader.pendingClicks(
                        Fingerprint(scope: click.scope, address: click.address, os: "Android", osVersion: "14"), limit: 8)
                }
                #expect(open.first { $0.click == click.id }?.addressClass == expected, "\(address)")
            }
        }
    }
}
