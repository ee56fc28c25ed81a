import Foundation
import LindenKernel
import LindenTesting
import MaxMindDB
import Testing

@Suite struct NetworkDatabaseTests {
    private static let countries = [
        "203.0.113.0/24": "DE", "198.51.100.128/25": "jp", "192.0.2.7/32": "BR", "2001:db8:1::/48": "FR", "2001:db8:2::/127": "US",
    ]

    @Test(arguments: [
        ("203.0.113.0", "DE"), ("203.0.113.255", "DE"), ("203.0.114.0", nil), ("198.51.100.127", nil), ("198.51.100.128", "JP"),
        ("192.0.2.7", "BR"), ("192.0.2.6", nil), ("::ffff:203.0.113.9", "DE"),
        ("2001:db8:1::", "FR"), ("2001:db8:1:ffff::1", "FR"), ("2001:db8:2::1", "US"), ("2001:db8:2::2", nil), ("::1", nil),
    ])
    func anAddressIsInTheCountryOfItsNetwork(address: String, country: String?) async throws {
        try await withDatabase(MaxMindFileBuilder.bytes(Self.countries)) { database, _ in
            let bytes = try #require(ClientAddress(address)).bytes
            #expect(database.value(of: bytes) == country)
        }
    }

    @Test func aFileOfTheOlderAddressesKnowsThoseAlone() async throws {
        try await withDatabase(MaxMindFileBuilder.bytes(["203.0.113.0/24": "DE"], hasIPv6: false)) { database, _ in
            #expect(database.value(of: [203, 0, 113, 9]) == "DE")
            #expect(database.value(of: [203, 0, 112, 9]) == nil)
            #expect(database.value(of: Array(repeating: 0x20, count: 16)) == nil)
        }
    }

    @Test(arguments: [0, 3, 5, 17]) func whatIsNoAddressIsNowhere(count: Int) async throws {
        try await withDatabase(MaxMindFileBuilder.bytes(["203.0.113.0/24": "DE"])) { database, _ in
            #expect(database.value(of: Array(repeating: 203, count: count)) == nil)
        }
    }

    @Test func aNetworkThatIsOnlyRegisteredInACountryIsNotThere() async throws {
        var builder = MaxMindFileBuilder()
        builder.insert("203.0.113.0/24", .map(["registered_country": .map(["iso_code": .text("LU")])]))
        builder.insert("192.0.2.0/24", .country("BR"))
        try await withDatabase(builder.bytes) { database, _ in
            #expect(database.value(of: [203, 0, 113, 9]) == nil)
            #expect(database.value(of: [192, 0, 2, 9]) == "BR")
        }
    }

    @Test(arguments: [
        MaxMindFileBuilder.Value.country("DEU"), .country("D"), .country(""), .country("1A"), .country("\u{E9}"),
        .map(["country": .map(["iso_code": .number16(49)])]), .map(["country": .text("DE")]), .map(["country": .map([:])]),
        .text("DE"), .number16(1),
    ])
    func whatIsNoCodeIsNone(entry: MaxMindFileBuilder.Value) async throws {
        var builder = MaxMindFileBuilder()
        builder.insert("203.0.113.0/24", entry)
        builder.insert("192.0.2.0/24", .country("BR"))
        try await withDatabase(builder.bytes) { database, _ in
            #expect(database.value(of: [203, 0, 113, 9]) == nil)
        }
    }

    @Test func aFileThatTellsNoCountriesIsRefused() async throws {
        var builder = MaxMindFileBuilder()
        builder.insert("203.0.113.0/24", .map(["autonomous_system_number": .number32(64500)]))
        try await expectRefusal(of: builder.bytes)
        try await expectRefusal(of: MaxMindFileBuilder().bytes)
    }

    @Test func anAddressIsOfItsNetworksOwner() async throws {
        var builder = MaxMindFileBuilder()
        builder.insert("203.0.113.0/24", .owner(64500))
        builder.insert("2001:db8:1::/48", .owner(4_200_000_000))
        builder.insert("192.0.2.0/24", .map(["autonomous_system_number": .text("AS64501")]))
        builder.insert("198.51.100.0/24", .map(["autonomous_system_organization": .text("Example")]))
        try await Installation.withFolder { [bytes = builder.bytes] folder in
            let path = folder + "/owners.mmdb"
            try Data(bytes).write(to: URL(filePath: path))
            let database = try NetworkDatabase(path: path, of: .owner)
            for (address, number) in [
                ("203.0.113.9", 64500), ("2001:db8:1:2::3", 4_200_000_000), ("192.0.2.1", nil), ("198.51.100.1", nil),
                ("203.0.114.1", nil),
            ] as [(String, UInt32?)] {
                #expect(database.value(of: try #require(ClientAddress(address)).bytes) == number)
            }
        }
    }

    @Test func aFileThatTellsNoOwnersIsRefused() async throws {
        try await Installation.withFolder { folder in
            let path = folder + "/owners.mmdb"
            try Data(MaxMindFileBuilder.bytes(["203.0.113.0/24": "DE"])).write(to: URL(filePath: path))
            let error = #expect(throws: NetworkFileError.self) { try NetworkDatabase(path: path, of: .owner) }
            #expect(error?.message == "it tells no network owners")
        }
    }

    @Test func whatIsNoFileOfTheFormatIsRefused() async throws {
        try await expectRefusal(of: [])
        try await expectRefusal(of: Array("These are my notes on apples.\n".utf8))
        #expect(throws: NetworkFileError.self) { try NetworkDatabase(path: "/no/such/file.mmdb", of: .country) }
        #expect(throws: NetworkFileError.self) { try NetworkDatabase(path: NSTemporaryDirectory(), of: .country) }
    }

    @Test func aDamagedFileIsRefusedOrHasFewerEntriesAndDoesNotCrash() async throws {
        let bytes = MaxMindFileBuilder.bytes(Self.countries)
        let addresses = try ["203.0.113.9", "198.51.100.200", "192.0.2.7", "2001:db8:1::5"].map {
            try #require(ClientAddress($0)).bytes
        }
        try await Installation.withFolder { folder in
            for step in 0..<400 {
                var damaged = bytes
                if step % 2 == 0 {
                    damaged.removeLast(bytes.count * step / 400)
                } else {
                    for place in 0..<8 {
                        damaged[(step * 7919 + place * 104_729) % bytes.count] ^= UInt8(truncatingIfNeeded: step | 1)
                    }
                }
                let path = folder + "/\(step).mmdb"
                try Data(damaged).write(to: URL(filePath: path))
                guard let database = try? NetworkDatabase(path: path, of: .country) else { continue }
                for address in addresses { #expect(database.value(of: address).map { $0.count == 2 } ?? true) }
            }
        }
    }

    @Test func anotherFileAtThePathTakesOver() async throws {
        try await withDatabase(MaxMindFileBuilder.bytes(["203.0.113.0/24": "DE"])) { database, path in
            #expect(try !database.refresh())

            try Data(MaxMindFileBuilder.bytes(["203.0.113.0/24": "AT"])).write(to: URL(filePath: path), options: .atomic)
            #expect(try database.refresh())
            #expect(try !database.refresh())
            #expect(database.value(of: [203, 0, 113, 9]) == "AT")

            try Data("notes".utf8).write(to: URL(filePath: path), options: .atomic)
            #expect(throws: NetworkFileError.self) { try database.refresh() }
            #expect(try !database.refresh(), "it was said once")
            #expect(database.value(of: [203, 0, 113, 9]) == "AT")

            try FileManager.default.removeItem(atPath: path)
            #expect(throws: NetworkFileError.self) { try database.refresh() }
            try Data(MaxMindFileBuilder.bytes(["203.0.113.0/24": "CH"])).write(to: URL(filePath: path), options: .atomic)
            #expect(try database.refresh())
            #expect(database.value(of: [203, 0, 113, 9]) == "CH")
        }
    }

    @Test func manyMayAskWhileTheFileIsReplaced() async throws {
        try await withDatabase(MaxMindFileBuilder.bytes(["203.0.113.0/24": "DE"])) { database, path in
            try await withThrowingTaskGroup(of: Bool.self) { group in
                for _ in 0..<4 {
                    group.addTask {
                        (0..<20_000).allSatisfy { _ in ["DE", "AT"].contains(database.value(of: [203, 0, 113, 9])) }
                    }
                }
                for round in 0..<50 {
                    let file = MaxMindFileBuilder.bytes(["203.0.113.0/24": round % 2 == 0 ? "AT" : "DE"])
                    try Data(file).write(to: URL(filePath: path), options: .atomic)
                    #expect(try database.refresh())
                }
                for try await isRight in group { #expect(isRight) }
            }
        }
    }

    private func withDatabase(
        _ bytes: [UInt8], _ body: (NetworkDatabase<String>, _ path: String) async throws -> Void
    ) async throws {
        try await Installation.withFolder { folder in
            let path = folder + "/countries.mmdb"
            try Data(bytes).write(to: URL(filePath: path))
            try await body(NetworkDatabase(path: path, of: .country), path)
        }
    }

    private func expectRefusal(of bytes: [UInt8]) async throws {
        await #expect(throws: NetworkFileError.self) { try await withDatabase(bytes) { _, _ in } }
    }
}
