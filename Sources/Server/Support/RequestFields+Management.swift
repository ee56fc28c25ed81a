import BranchWire
import Linden
import LindenKernel
import LinkRouting

/// The body of a call of the management API.
extension RequestFields {
    /// Fails with `invalid` for another member than these: an error of an operator's program should not go unnoticed.
    ///
    /// - Parameter subject: what the members belong to, for the message.
    func check(_ known: [String], of subject: String) throws {
        guard let unknown = members.keys.first(where: { $0.ifASCII.map(known.contains) != true }) else { return }
        throw Failure.invalid(
            "\(unknown) is not a member of \(subject) that can be set here. These can: \(known.joined(separator: ", ")).")
    }

    /// Returns the case of an enumeration that a member names; nil if it is missing. Fails with `invalid` and the allowed names.
    func choice<Choice: RawRepresentable<String> & CaseIterable>(_ name: String) throws -> Choice? {
        try strictText(name).map { text in
            guard let choice = Choice(rawValue: text) else {
                let allowed = Choice.allCases.map(\.rawValue).joined(separator: ", ")
                throw Failure.invalid("\(name) must be one of \(allowed), not \"\(text)\".")
            }
            return choice
        }
    }

    /// Returns an object; nil if it is missing or null. Fails with `invalid` for anything else.
    func object(_ name: String) throws -> JSONObject? {
        guard let value = members[name], !value.isNull else { return nil }
        guard case .object(let object) = value else { throw Failure.invalid("\(name) must be an object, not \(value.kind).") }
        return object
    }

    /// Returns a text that is set, cleared by null or an empty one, or kept if it is missing.
    func update(_ name: String) throws -> FieldUpdate<String> {
        guard members[name] != nil else { return .keep }
        return try strictText(name).map { .set($0) } ?? .clear
    }
}
