import LindenKernel
import OutgoingHTTP
import Testing

@Suite struct PublicAddressTests {
    @Test(arguments: [
        "1.1.1.1", "8.8.8.8", "9.255.255.255", "11.0.0.0", "93.184.216.34", "100.63.255.255", "100.128.0.0", "126.255.255.255",
        "128.0.0.0", "168.63.129.15", "168.63.129.17", "169.253.255.255", "169.255.0.0", "172.15.255.255", "172.32.0.0",
        "192.0.1.0", "192.167.255.255",
        "192.169.0.0", "198.17.255.255", "198.20.0.0", "203.0.112.255", "223.255.255.255", "2001:200::1", "2001:4860:4860::8888",
        "2606:4700:4700::1111", "2a00:1450:4001::1", "2002:0101:0101::1", "64:ff9b::1.1.1.1", "::ffff:8.8.8.8", "3ffe::1",
    ])
    func anAddressOfTheInternetIsPublic(address: String) throws {
        #expect(AddressPolicy.publicOnly.allows(try #require(IPAddress(address))))
    }

    @Test(arguments: [
        "0.0.0.0", "0.255.255.255", "10.0.0.1", "10.255.255.255", "100.64.0.0", "100.127.255.255", "127.0.0.1", "127.255.255.255",
        "100.100.100.200", "168.63.129.16", "::ffff:168.63.129.16", "64:ff9b::a83f:8110", "fd00:ec2::254", "169.254.169.254",
        "172.16.0.0", "172.31.255.255", "192.0.0.1", "192.0.2.1", "192.88.99.1", "192.168.0.1",
        "192.168.255.255",
        "198.18.0.0", "198.19.255.255", "198.51.100.1", "203.0.113.255", "224.0.0.1", "239.255.255.255", "240.0.0.1",
        "255.255.255.255", "::", "::1", "::127.0.0.1", "::ffff:127.0.0.1", "::ffff:10.0.0.1", "::ffff:169.254.169.254",
        "::ffff:7f00:1", "64:ff9b::10.0.0.1", "64:ff9b::7f00:1", "64:ff9b:1::1.1.1.1", "100::1", "2001::1", "2001:10::1",
        "2001:20::1", "2001:1ff:ffff::1", "2001:db8::1", "2002:7f00:1::1", "2002:a9fe:a9fe::1", "2002:c0a8:101::1", "3fff:fff::1",
        "4000::1", "5f00::1", "fc00::1", "fd12:3456::1", "fe80::1", "fec0::1", "ff02::1", "1fff:ffff::1",
    ])
    func anAddressForAnyOtherUseIsNot(address: String) throws {
        #expect(!AddressPolicy.publicOnly.allows(try #require(IPAddress(address))))
    }

    @Test(arguments: [
        "127.1", "0x7f.0.0.1", "0177.0.0.1", "2130706433", "1.2.3.4.5", "1.2.3.256", "01.2.3.4", "", "localhost", ":::", "[::1]",
        "fe80::1%lo", " 1.2.3.4", "1.2.3.4\n",
    ])
    func anAddressInAnyOtherSpellingIsNone(text: String) {
        #expect(IPAddress(text) == nil)
    }

    @Test(arguments: [
        ("93.184.216.34", "93.184.216.34"), ("::FFFF:93.184.216.34", "93.184.216.34"), ("2606:4700:0:0::1111", "2606:4700::1111"),
        ("0.0.0.0", "0.0.0.0"), ("255.255.255.255", "255.255.255.255"),
    ])
    func anAddressIsWrittenInItsUsualSpelling(text: String, written: String) throws {
        #expect(try #require(IPAddress(text)).description == written)
    }

    @Test(arguments: [
        ("172.16.5.9/12", "172.31.255.255", true), ("172.16.5.9/12", "::ffff:172.16.0.0", true),
        ("172.16.5.9/12", "172.32.0.0", false),
        ("::/0", "fe80::1", true), ("2001:db8::/32", "2001:db9::", false), ("10.0.0.1/32", "10.0.0.1", true),
    ])
    func aNetworkHoldsTheAddressesThatBeginAlike(network: String, address: String, isInside: Bool) throws {
        let network = try #require(IPNetwork(network))
        #expect(network.contains(try #require(IPAddress(address))) == isInside)
    }

    @Test(arguments: ["10.0.0.0", "10.0.0.0/33", "::/129", "10.0.0.0/-1", "10/8", "/8", "10.0.0.0/8/8", "10.0.0.0/x"])
    func whatIsNoNetworkIsRefused(text: String) {
        #expect(IPNetwork(text) == nil)
    }

    @Test(arguments: [(80, true), (443, true), (22, false), (8080, false), (0, false)])
    func onlyThePortsOfTheWebAreAllowed(port: Int, isAllowed: Bool) {
        #expect(AddressPolicy.publicOnly.allows(port: port) == isAllowed)
    }
}
