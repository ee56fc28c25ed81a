import LindenKernel
import Testing

/// Objects with few members are searched one by one, objects with many have an index. Both must behave alike.
@Suite struct JSONObjectTests {
    private static let sizes = [0, 1, 31, 32, 33, 34, 500]

    private func object(_ count: Int) -> JSONObject {
        JSONObject((0..<count).map { (key: "key\($0)", value: JSON.integer(Int64($0))) })
    }

    @Test(arguments: sizes)
    func membersKeepTheirOrderAndAreFoundByTheirNames(count: Int) {
        let object = object(count)
        #expect(object.count == count)
        #expect(object.keys == (0..<count).map { "key\($0)" })
        for number in 0..<count { #expect(object["key\(number)"] == .integer(Int64(number))) }
        #expect(object["key\(count)"] == nil)
        #expect(object["yek0"] == nil)
    }

    @Test(arguments: sizes)
    func aRepeatedNameKeepsItsPlaceAndTakesTheLastValue(count: Int) {
        var object = object(count)
        for number in 0..<count { object["key\(number)"] = .string("new \(number)") }
        #expect(object.keys == (0..<count).map { "key\($0)" })
        for number in 0..<count { #expect(object["key\(number)"] == .string("new \(number)")) }
    }

    @Test(arguments: sizes)
    func aNameThatIsRepeatedInATextKeepsItsPlaceAndTakesTheLastValue(count: Int) throws {
        let members = (0..<count).map { "\"key\($0)\":\($0)" }
        let object = try #require(try JSON.parse("{" + members.joined(separator: ",") + "}").object)
        #expect(object == self.object(count))
        #expect(object.keys == (0..<count).map { "key\($0)" })

        let again = (0..<count).map { "\"key\($0)\":\"new \($0)\"" }
        let repeated = try #require(try JSON.parse("{" + (members + again).joined(separator: ",") + "}").object)
        #expect(repeated.keys == (0..<count).map { "key\($0)" })
        for number in 0..<count { #expect(repeated["key\(number)"] == .string("new \(number)")) }
    }

    @Test(arguments: sizes)
    func aRemovedMemberLeavesTheOthersWhereTheyWere(count: Int) {
        var object = object(count)
        object["key0"] = nil
        object["key\(count - 1)"] = nil
        object["absent"] = nil
        let left = count < 3 ? [] : (1..<(count - 1)).map { "key\($0)" }
        #expect(object.keys == left)
        for key in left { #expect(object[key] != nil) }
        #expect(object["key0"] == nil)
        object["key0"] = true
        #expect(object.keys == left + ["key0"])
        #expect(object["key0"] == true)
    }

    @Test(arguments: sizes)
    func membersAreKeptOrLeftOutByName(count: Int) {
        let object = object(count)
        let some: JSONObject.Names = ["key0", "key32", "absent"]
        let kept = object.keys.filter { $0 == "key0" || $0 == "key32" }
        #expect(object.only(some).keys == kept)
        #expect(object.without(some).keys == object.keys.filter { !kept.contains($0) })
        #expect(object.filter { $1 == .integer(32) }.keys == object.keys.filter { $0 == "key32" })
    }

    /// Such names have the same length, first, middle and last byte.
    @Test func namesThatLookAlikeAreDistinguished() {
        let names = ["aXbYc", "aYbXc", "aXbXc", "", "a", "é", "e\u{301}", String(repeating: "x", count: 256)]
        let object = JSONObject(names.enumerated().map { (key: $1, value: JSON.integer(Int64($0))) })
        #expect(object.count == names.count)
        for (number, name) in names.enumerated() { #expect(object[name] == .integer(Int64(number))) }
    }
}
