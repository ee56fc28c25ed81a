import LindenKernel
import Testing

@testable import BranchWire

@Suite struct FormTests {
    @Test func aRepeatedNameIsAnArrayOfItsValuesInOrder() throws {
        let form = try Form(query: "tags=a&channel=mail&tags=b&tags=c")
        #expect(form.members == ["tags": ["a", "b", "c"], "channel": "mail"])
        #expect(form.members.keys == ["tags", "channel"])
    }

    @Test func namesThatUnicodeHoldsForEqualAreTwoNames() throws {
        let form = try Form(query: "%C3%A9=1&e%CC%81=2&%C3%A9=3")
        #expect(form.members["\u{E9}"] == ["1", "3"])
        #expect(form.members["e\u{301}"] == "2")
    }

    @Test func aThousandFieldsAreReadAndOneMoreIsRefused() throws {
        let most = Array(repeating: "a=b", count: Form.maximumPairs).joined(separator: "&")
        #expect(try Form(query: most).members["a"]?.array?.count == Form.maximumPairs)
        let failure = #expect(throws: Failure.self) { try Form(query: most + "&a=b") }
        #expect(failure?.code == .tooLarge)
        #expect(failure?.message == "A form or query may have at most 1000 fields, not 1001.")
    }
}
