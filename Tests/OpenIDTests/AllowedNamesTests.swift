import LindenKernel
import OpenID
import Testing

/// The accounts of a provider that may sign in are named by their address, or by its domain.
@Suite struct AllowedNamesTests {
    @Test func withoutNamesEveryUserMaySignIn() throws {
        let all = try AllowedNames(domains: [], users: [])
        #expect(all.isEmpty && all.admits("ann@orchard.example") && all.admits(nil))
    }

    @Test(arguments: [
        ("ann@orchard.example", true), ("Ann@Orchard.Example", true), ("ben@meadow.example", true), ("BEN@meadow.example", true),
        ("cy@meadow.example", false), ("ann@sub.orchard.example", false), ("ann@orchard.example.evil.example", false),
        ("ann@evilorchard.example", false), ("orchard.example", false), ("ann", false), ("ann@orchard.example@evil.example", false),
        ("", false), ("KEN@meadow.example", true), ("\u{212A}en@meadow.example", false), ("ann@orchard.example\u{301}", false),
    ])
    func onlyTheNamedMay(name: String, isAdmitted: Bool) throws {
        let names = try AllowedNames(domains: ["Orchard.example"], users: ["ben@Meadow.example", "ken@meadow.example"])
        #expect(!names.isEmpty && names.admits(name) == isAdmitted)
    }

    @Test func aStarIsEveryAccount() throws {
        let names = try AllowedNames(domains: ["*"], users: [])
        #expect(!names.isEmpty && names.admits("ann@orchard.example") && !names.admits(nil))
    }

    @Test(arguments: ["ann@orchard.example", "https://orchard.example", "orchard example", "*.orchard.example"])
    func anyOtherTextIsNoDomain(text: String) {
        let failure = #expect(throws: Failure.self) { try AllowedNames(domains: [text], users: []) }
        #expect(failure?.message.contains("must be domains of e-mail addresses") == true)
    }
}
