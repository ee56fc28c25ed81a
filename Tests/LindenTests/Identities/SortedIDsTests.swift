import Linden
import LindenKernel
import Testing

@testable import LindenServices

/// The ids of a person's rows, of which there may be millions.
@Suite struct SortedIDsTests {
    private static func ids(_ numbers: some Sequence<Int>) -> SortedIDs<Event> {
        SortedIDs(numbers.map { Event.ID(rawValue: Int64($0)) })
    }

    @Test func theyAreASetInOrder() {
        var random = SystemRandomNumberGenerator()
        let numbers = (0..<200_000).map { _ in Int.random(in: 0..<100_000, using: &random) }
        let (ids, expected) = (Self.ids(numbers), Set(numbers))
        #expect(ids.count == expected.count)
        #expect(ids.numbers == expected.sorted().map(Int64.init))
        for number in 0..<100_000 where ids.contains(Event.ID(rawValue: Int64(number))) != expected.contains(number) {
            Issue.record("\(number)")
        }
    }

    @Test func thoseThatComeInOrderAreKeptInOrder() {
        #expect(Self.ids(1...5).numbers == [1, 2, 3, 4, 5])
        #expect(Self.ids([5, 5, 1, 5, 1, 9]).numbers == [1, 5, 9])
        #expect(Self.ids([]).numbers.isEmpty && !Self.ids([]).contains(Event.ID(rawValue: 1)))
    }

    @Test func twoAreJoined() {
        let (left, right) = (Self.ids([9, 3, 1, 7]), Self.ids([8, 3, 2, 9, 10]))
        #expect(left.union(right).numbers == [1, 2, 3, 7, 8, 9, 10])
        #expect(left.count(with: right) == 7 && right.count(with: left) == 7 && left.count(with: Self.ids([])) == 4)
    }

    @Test func keysOfDevicesAreKnownInAnyCase() {
        var keys = DeviceKeys()
        for key in ["AB-1", "cd-2"] { keys.insert(key) }
        #expect(["ab-1", "AB-1", "CD-2"].allSatisfy(keys.contains) && !keys.contains("AB-2") && !DeviceKeys().contains("AB-1"))
    }

    @Test func keysOfDevicesAreKnownInTheirSpelling() {
        var keys = DeviceKeys()
        keys.insert("caf\u{E9}")
        #expect(keys.contains("CAF\u{C9}") && !keys.contains("cafe\u{301}"))
    }

    @Test func exportsHoldSomeRowsTogetherOrOneExportAlone() throws {
        let limit = PersonalRowLimit(most: 10)
        var first: Hold? = try limit.hold(30)
        #expect(throws: Failure.self) { _ = try limit.hold(1) }
        withExtendedLifetime(first) {}
        first = nil
        let (second, third) = (try limit.hold(6), try limit.hold(4))
        #expect(throws: Failure.self) { _ = try limit.hold(1) }
        withExtendedLifetime((second, third)) {}
    }
}
