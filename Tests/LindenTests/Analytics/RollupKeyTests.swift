import Linden
import LindenKernel
import LindenReporting
import Testing

/// An index of PostgreSQL takes 2,704 bytes, so no row of the log may have a longer name or value counted.
@Suite struct RollupKeyTests {
    private static let scope = Scope(app: App.ID(rawValue: 1), mode: .live)

    private static func key(_ name: String, _ value: String) -> Rollup.Key {
        Rollup.Key(scope: scope, topic: .customEvent, dimension: .referrer, unit: .day, hour: 24, name: name, value: value)
    }

    @Test func longNamesAndValuesAreCountedByTheirBeginning() {
        let long = String(repeating: "e\u{301}", count: 2000)
        let key = Self.key(long, long + "x")
        #expect(key.name.utf8.count <= 512 && key.value.utf8.count <= 512 && long.utf8.starts(with: key.value.utf8))
        #expect(key == Self.key(long + "y", long))
        let label = String(repeating: "🍐", count: 128)
        #expect(Self.key("PURCHASE", label).value == label)
    }

    @Test func keysDifferIfTheirBytesDo() {
        let spellings = ["caf\u{E9}", "cafe\u{301}"]
        #expect(Set(spellings.map { Self.key("PURCHASE", $0) }).count == 2)
        #expect(Set(spellings.map { Self.key($0, "mail") }).count == 2)
        let counts = spellings.flatMap { text in
            [(text, "mail"), ("PURCHASE", text)].map { name, value in
                DeviceCount.Key(scope: Self.scope, topic: .customEvent, dimension: .channel, day: 1, name: name, value: value)
            }
        }
        #expect(Set(counts).count == 4)
    }

    @Test func devicesAreCountedUnderTheSameNames() {
        let long = String(repeating: "x", count: 3000)
        let key = DeviceCount.Key(scope: Self.scope, topic: .customEvent, dimension: .referrer, day: 1, name: long, value: long)
        #expect(key.name == Self.key(long, long).name && key.value == Self.key(long, long).value)
    }
}
