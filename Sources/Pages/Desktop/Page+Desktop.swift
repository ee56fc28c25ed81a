/// How a link gets from a desktop onto a phone.
package struct PhoneTransfer: Sendable {
    /// The link, written out.
    package var address: String
    /// A QR code of it, as SVG; nil where none can be drawn.
    package var code: String?
    /// Where the page sends a phone number to have the link sent there; nil if no text messages are sent.
    package var messages: (action: String, branchKey: String)?

    package init(address: String, code: String?, messages: (action: String, branchKey: String)? = nil) {
        self.address = address
        self.code = code
        self.messages = messages
    }
}

extension Page {
    /// For a desktop that has nowhere else to go, or is to see what the link is about: the link as a QR code, or sent to a phone.
    package static func desktop(_ content: LinkContent, _ transfer: PhoneTransfer, showsImage: Bool = false) -> Page {
        var model = PageModel(content)
        model.image = showsImage ? content.image : nil
        if transfer.code == nil { model.text = model.text ?? "Open this link on your phone." }
        model.code = transfer.code
        model.address = transfer.address
        model.form = transfer.messages.map { PageModel.Form(action: $0.action, branchKey: $0.branchKey) }
        return Page(model)
    }

    package static let textMessageSent = Page(
        PageModel(title: "It is on its way", text: "The link was sent to your phone as a text message."))
}
