import Linden
import LindenKernel
import SQLStorage
import Testing

@Suite struct MatchKeyTests {
    /// The keys are computed with another implementation. They must not change, because stored rows are found by them.
    @Test(
        arguments: [
            (.live, "203.0.113.7", "iOS", "18.6", -3_626_564_375_164_455_777),
            (.live, "203.0.113.7", "iOS", "18.5", -3_626_564_375_165_340_247),
            (.live, "20833:nfgVi1eU5ugn8NQub8xGaQ", "Android", "", -6_517_713_555_085_306_836),
            (.test, "203.0.113.7", "iOS", "18.6", -7_217_769_408_658_377_569),
        ] as [(Mode, String, String, String, Int64)])
    func aFingerprintHasTheKeyItEverHad(mode: Mode, address: String, os: String, osVersion: String, key: Int64) {
        let scope = Scope(app: Identifier(rawValue: 1), mode: mode)
        let fingerprint = Fingerprint(scope: scope, address: address, os: os, osVersion: osVersion)
        #expect(MatchKey(fingerprint).rawValue == key)
    }

    /// So that the clicks of an address are found without knowing their systems.
    @Test func theKeysOfAnAddressAreOneRange() {
        let scope = Scope(app: Identifier(rawValue: 1), mode: .live)
        let range = MatchKey.range(of: "203.0.113.7", in: scope)
        for number in 0..<100 {
            let here = Fingerprint(scope: scope, address: "203.0.113.7", os: "iOS", osVersion: "18.\(number)")
            let elsewhere = Fingerprint(scope: scope, address: "203.0.113.\(number + 10)", os: "iOS", osVersion: "18.6")
            #expect(range.contains(MatchKey(here)))
            #expect(!range.contains(MatchKey(elsewhere)))
        }
    }
}
