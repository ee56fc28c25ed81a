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
