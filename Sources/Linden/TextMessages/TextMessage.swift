import LindenKernel

/// A text message with a link that a visitor requested for a phone.
package struct TextMessage: Sendable {
    package typealias ID = Identifier<TextMessage>

    package let id: ID
    package let scope: Scope
    package let link: Link.ID
    /// The query that was appended to the link on the page of the request; for a long link, its whole query.
    package let query: String?
    package let phone: PhoneNumber

    package init(id: ID, scope: Scope, link: Link.ID, query: String?, phone: PhoneNumber) {
        self.id = id
        self.scope = scope
        self.link = link
        self.query = query
        self.phone = phone
    }
}

package protocol TextMessageReader {
    func textMessage(_ id: TextMessage.ID) throws -> TextMessage?
}

package protocol TextMessageRepository: TextMessageReader {
    func insert(_ message: TextMessage) throws
}

/// A gateway for sending text messages.
package protocol TextMessageGateway: Sendable {
    /// Sends a message. Fails with `unavailable` if the gateway did not accept it.
    func send(_ text: String, to phone: PhoneNumber) async throws
}

/// A phone number in the form that gateways accept: digits, with an optional leading plus sign.
package struct PhoneNumber: Sendable, Hashable {
    package let text: String

    /// Parses a number with the usual separators, such as `+49 (151) 1234-567`. Fails with `invalid`.
    package init(_ written: String) throws {
        var digits = written.filter { !" -().\u{A0}/".contains($0) }
        let isInternational = digits.hasPrefix("+") || digits.hasPrefix("00")
        if isInternational { digits.removeFirst(digits.hasPrefix("+") ? 1 : 2) }
        guard (6...15).contains(digits.utf8.count), !isInternational || !digits.hasPrefix("0"),
            digits.utf8.allSatisfy({ (0x30...0x39).contains($0) })
        else {
            throw Failure.invalid("phone must be a phone number of 6 to 15 digits, such as +1 555 010 0000.")
        }
        text = (isInternational ? "+" : "") + digits
    }

    /// Creates a number from its stored form.
    package init(stored text: String) {
        self.text = text
    }
}
