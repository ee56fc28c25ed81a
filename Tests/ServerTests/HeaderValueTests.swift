import HTTPTypes
import Testing

@testable import Server

@Suite struct HeaderValueTests {
    @Test(arguments: [[], ["one"], ["one", "two"], [""]])
    func theValueOfAHeaderIsThatOfAllItsFields(values: [String]) {
        var fields: HTTPFields = [.userAgent: "Test"]
        fields[values: .accept] = values
        #expect(fields.value(of: .accept) == fields[.accept])
    }
}
