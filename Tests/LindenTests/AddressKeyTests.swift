import Testing

@testable import Linden

@Suite struct AddressKeyTests {
    /// The hashes are computed with another implementation of HMAC-SHA256. They must not change, because stored rows are found by them.
    @Test(arguments: [
        ("203.0.113.7", "20833:nfgVi1eU5ugn8NQub8xGaQ"), ("2001:db8:1:2::9", "20833:7/moDq5rHBX1p+bF7NJDXw"),
    ])
    func anAddressIsHashedAsItEverWas(address: String, text: String) throws {
        let key = AddressKey(day: 20833, secret: Array(0..<32), expiresAt: Timestamp(milliseconds: 0))
        let address = try #require(ClientAddress(address))
        #expect(key.hash(address) == text)
        _ = key.hash(.unknown)
        #expect(key.hash(address) == text)
    }
}
