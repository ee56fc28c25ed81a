import LindenKernel
import LindenTesting
import Testing

@Suite struct AddressClassTests {
    private static let classifier = AddressClassifier(
        sharedNetworks: NetworkSet(["172.224.224.0/31", "2a02:26f7:b000::/45"].compactMap { Network($0) }), sharedOwners: [64500],
        owner: { ["192.0.2.1": 64500, "192.0.2.2": 64501, "172.224.224.1": 64500][$0.matchKey] })

    @Test(arguments: [
        ("172.224.224.0", AddressClass.listed), ("172.224.224.1", .listed), ("172.224.224.2", .plain), ("192.0.2.1", .owner),
        ("192.0.2.2", .plain), ("192.0.2.3", .plain), ("2a02:26f7:b007:ffff::1", .listed), ("2a02:26f7:b008::1", .plain),
        ("::ffff:172.224.224.1", .listed),
    ])
    func anAddressIsSharedIfItsNetworkIsListedOrItsOwnerLetsManyShare(address: String, expected: AddressClass) throws {
        #expect(Self.classifier.addressClass(of: try #require(ClientAddress(address))) == expected)
    }

    @Test func whereNothingIsKnownEveryAddressIsPlain() throws {
        #expect(AddressClassifier().addressClass(of: try #require(ClientAddress("172.224.224.1"))) == .plain)
        #expect(Self.classifier.addressClass(of: .unknown) == .plain)
        #expect(!AddressClass.plain.isShared)
        #expect(AddressClass.listed.isShared)
        #expect(AddressClass.owner.isShared)
    }

    @Test func noOwnersAreReadWhereNoneOfThemShares() throws {
        let classifier = AddressClassifier(owner: { _ in
            Issue.record("asked")
            return nil
        })
        #expect(classifier.addressClass(of: try #require(ClientAddress("192.0.2.1"))) == .plain)
    }

    // MARK: Sets of networks

    @Test(arguments: [
        ("0.0.0.0/0", "255.255.255.255", true), ("0.0.0.0/0", "::1", false),
        ("::/0", "ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff", true),
        ("::/0", "192.0.2.1", false), ("192.0.2.9/24", "192.0.2.200", true), ("255.255.255.255", "255.255.255.255", true),
        ("255.255.255.255", "255.255.255.254", false), ("::", "::", true),
    ])
    func aSetOfOneHoldsWhatTheNetworkHolds(network: String, address: String, isInside: Bool) throws {
        let set = NetworkSet([try #require(Network(network))])
        #expect(set.contains(try #require(ClientAddress(address))) == isInside)
    }

    /// The networks overlap, adjoin and contain one another.
    @Test func aSetHoldsWhatAnyOfItsNetworksHolds() throws {
        let random = RandomSource.repeatable(seed: 7)
        func number(_ count: UInt64) -> Int { Int(random.next() % count) }
        for _ in 0..<50 {
            let networks = try (0..<number(40)).map { _ in
                try #require(
                    Network(
                        number(2) == 0
                            ? "10.0.\(number(4)).\(number(256))/\(20 + number(13))"
                            : "2001:db8::\(number(16)):\(number(16))/\(100 + number(29))"))
            }
            let set = NetworkSet(networks)
            for _ in 0..<200 {
                let address = try #require(
                    ClientAddress(
                        number(2) == 0
                            ? "10.0.\(number(5)).\(number(256))"
                            : "2001:db8::\(number(17)):\(number(17))"))
                #expect(set.contains(address) == networks.contains { $0.contains(address) })
            }
        }
    }

    // MARK: Lists

    @Test func aListIsReadAsItsPublishersWriteIt() throws {
        let list =
            "\u{FEFF}172.224.224.0/31,GB,GB-EN,London,\r\n\r\n# our office\n  192.0.2.7  # its proxy\n\t\n2a02:26f7::/64,DE,,,"
        let set = try NetworkSet(list: Array(list.utf8))
        for (address, isInside) in [
            ("172.224.224.1", true), ("172.224.224.2", false), ("192.0.2.7", true), ("192.0.2.8", false), ("2a02:26f7::9", true),
        ] {
            #expect(set.contains(try #require(ClientAddress(address))) == isInside, "\(address)")
        }
    }

    @Test(arguments: [
        ("192.0.2.0/24\n\n# office\npears\n", "line 4 "), ("network,country\n192.0.2.0/24,GB\n", "line 1 "),
        ("192.0.2.0/33", "line 1 "),
        ("192.0.2.0/24 GB", "line 1 "), (",GB", "line 1 "), ("192.0.2.0/24\n\0\0\0", "line 2 "), ("", "at least one"),
        ("# nothing yet\n", "at least one"),
    ])
    func aLineThatIsNoNetworkIsNamed(list: String, named: String) throws {
        let failure = #expect(throws: Failure.self) { try NetworkSet(list: Array(list.utf8)) }
        #expect(failure?.message.contains(named) == true)
        #expect(failure?.message.contains("172.224.224.0/31") == true)
    }
}
