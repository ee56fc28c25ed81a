import LindenKernel
import LindenReporting

/// A request of `POST /v1/gdpr`: access to, or erasure of, the data of data subjects (Branch, "Data subject requests").
package struct SubjectRequestFields {
    private static let mostSubjects = 100
    /// Enough for a name of 127 characters.
    private static let longestValue = 1024

    package let kind: SubjectRequest.Kind
    package let subjects: [DataSubject]

    /// Fails with `invalid`, with a message that states the allowed values.
    package init(_ body: RequestFields) throws {
        guard let kind = body.text("subject_request_type").flatMap({ SubjectRequest.Kind(rawValue: $0.lowercased()) }) else {
            throw Failure.invalid("subject_request_type must be access or erasure.")
        }
        guard let identities = body["subject_identities"]?.array, (1...Self.mostSubjects).contains(identities.count) else {
            throw Failure.invalid(
                "subject_identities must be an array of 1 to \(Self.mostSubjects) objects with identity_type and identity_value.")
        }
        self.kind = kind
        subjects = try identities.map(Self.subject)
    }

    private static func subject(_ json: JSON) throws -> DataSubject {
        let fields = RequestFields(json.object ?? [:])
        guard let kind = fields.text("identity_type").flatMap({ DataSubject.Kind(rawValue: $0.uppercased()) }) else {
            throw Failure.invalid(
                "identity_type must be one of " + DataSubject.Kind.allCases.map(\.rawValue).joined(separator: ", ") + ".")
        }
        guard let value = fields.text("identity_value"), value.utf8.count <= longestValue else {
            throw Failure.invalid("identity_value must be a string of at most \(longestValue) bytes.")
        }
        guard fields.text("identity_format") ?? "raw" == "raw" else { throw Failure.invalid("identity_format must be raw.") }
        return DataSubject(kind: kind, value: value)
    }
}
