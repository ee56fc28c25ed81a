import Testing

@testable import Linden
@testable import LindenKernel

@Suite struct AddressKeyTests {
    /// The hashes are computed with another implementation of HMAC-SHA256. They must not change, because stored rows are found by them.
    @Test(arguments: [
        ("203.0.113.7", "20833:nfgVi1eU5ugn8NQub8xGaQ"), ("2001:db8:1:2::9", "20833:7/moDq5rHBX1p+bF7NJDXw"),
        ("0.0.0.0", "20833:A/lc6IAsCCLe2gt37q2dxQ"), ("255.255.255.255", "20833:6BQjqj2UJfKF0o6d0/Xh6g"),
        ("192.0.2.10", "20833:FB4QxS4DaBtAyvjCUmKUfA"), ("fe80::1", "20833:dR859bvtf7u5JAuxFuvnow"),
        ("ffff:10:abc::1", "20833:g4tDuT9Jl36I3o32lR71wA"),
    ])
    func anAddressIsHashedAsItEverWas(address: String, text: String) throws {
        let key = AddressKey(day: 20833, secret: Array(0..<32), expiresAt: Timestamp(milliseconds: 0))
        let address = try #require(ClientAddress(address))
        #expect(key.hash(address) == text)
        _ = key.hash(.unknown)
        #expect(key.hash(address) == text)
    }
}
