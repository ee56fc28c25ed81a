/// What is counted together and limited. The name is that of its settings: `limits.create_link.address`.
package enum LimitedCall: String, Sendable, CaseIterable {
    case visit
    case createLink = "create_link"
    case readLink = "read_link"
    case changeLink = "change_link"
    case session
    case event
    /// Any other call of an SDK.
    case call
    case qrCode = "qr_code"
    case query
    /// Orders of reports and exports.
    case order
    /// Bytes that are stored: link data and events.
    case store

    /// In the words of a message.
    package var meaning: String {
        switch self {
        case .visit: "visiting links"
        case .createLink: "creating links"
        case .readLink: "reading links"
        case .changeLink: "changing links"
        case .session: "installs and opens"
        case .event: "events"
        case .call: "this call"
        case .qrCode: "QR codes"
        case .query: "queries"
        case .order: "orders of reports and exports"
        case .store: "data to store, in bytes,"
        }
    }
}
