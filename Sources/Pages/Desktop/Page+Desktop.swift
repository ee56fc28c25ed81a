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
    ///
    /// - Parameter way: into the app of a desktop, and past it.
    package static func desktop(
        _ content: LinkContent, _ transfer: PhoneTransfer, _ way: WayIntoApp? = nil, showsImage: Bool = false
    ) -> Page {
        var model = way.map { PageModel(content, $0) } ?? PageModel(content)
        model.image = showsImage ? content.image : nil
        if transfer.code == nil { model.text = model.text ?? "Open this link on your phone." }
        model.code = transfer.code
        model.address = transfer.address
        model.form = transfer.messages.map { PageModel.Form(action: $0.action, branchKey: $0.branchKey) }
        return Page(model)
    }

    /// - Parameter back: to the link.
    package static func textMessageSent(back: String) -> Page {
        var model = PageModel(title: "It is on its way", text: "The link was sent to your phone as a text message.")
        model.back = back
        return Page(model)
    }
}
