import LindenKernel
import Testing

@Suite struct ClientAddressTests {
    @Test(arguments: [
        ("203.0.113.7", "203.0.113.7"), ("0.10.0.255", "0.10.0.255"), (" 203.0.113.7:4711 ", "203.0.113.7"),
        ("::ffff:203.0.113.7", "203.0.113.7"),
        ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"), ("[2001:db8:1:2::9]:443", "2001:db8:1:2::/64"),
        ("fe80::1%eth0", "fe80:0:0:0::/64"),
    ])
    func oneHouseholdHasOneKey(text: String, key: String) throws {
        #expect(try #require(ClientAddress(text)).matchKey == key)
    }

    @Test(arguments: [
        "", "unknown", "_hidden", "1.2.3", "1.2.3.4.5", "1.2.3.", "1..2.3", ".1.2.3", "256.1.1.1", "1.2.3.1111", "01.2.3.4",
        "1.2.3.00",
        "g::1", "a:b:c",
    ])
    func whatIsNoAddressIsNone(text: String) {
        #expect(ClientAddress(text) == nil)
    }

    @Test(arguments: [
        ("10.0.0.0/8", "10.255.1.2", true), ("10.0.0.0/8", "11.0.0.1", false), ("192.0.2.5", "192.0.2.5", true),
        ("192.0.2.5", "192.0.2.6", false), ("0.0.0.0/0", "8.8.8.8", true), ("fd00::/8", "fd12::1", true),
        ("fd00::/8", "10.0.0.1", false),
        ("2001:db8::/33", "2001:db8:8000::1", false),
    ])
    func aNetworkHoldsItsOwn(network: String, address: String, isInside: Bool) throws {
        #expect(try #require(Network(network)).contains(try #require(ClientAddress(address))) == isInside)
    }

    @Test(arguments: ["", "10.0.0.0/33", "10.0.0.0/x", "10.0.0.0/8/8", "::/129", "example.com"])
    func whatIsNoNetworkIsNone(text: String) {
        #expect(Network(text) == nil)
    }
}
