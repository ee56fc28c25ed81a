import LindenKernel
import LindenReporting
import Testing

@testable import BranchWire

/// Who is named by a request for a person's data.
@Suite struct SubjectRequestFieldsTests {
    @Test func theLongestNameOfAUserIsAccepted() throws {
        let name = String(repeating: "\u{1F350}", count: 127)
        #expect(try Self.fields(name).subjects.map(\.value) == [name])
    }

    @Test(arguments: ["", String(repeating: "a", count: 1025)]) func anEmptyOrLongerOneIsRefused(name: String) {
        #expect(throws: Failure.self) { try Self.fields(name) }
    }

    private static func fields(_ name: String) throws -> SubjectRequestFields {
        try SubjectRequestFields(
            RequestFields([
                "subject_request_type": "access",
                "subject_identities": [["identity_type": "DEVELOPER_ID", "identity_value": .string(name)]],
            ]))
    }
}
