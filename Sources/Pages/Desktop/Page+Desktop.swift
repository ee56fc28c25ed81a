/// How a link gets from a desktop onto a phone.
package struct PhoneTransfer: Sendable {
    /// The link, written out.
    package var address: String
    /// A QR code of it, as SVG; nil where none can be drawn.
    package var code: String?
    /// Where the page sends a phone number to have the link sent there; nil if no text messages are sent.
    package var messages: (action: String, branchKey: String)?
    /// Where the app is in the stores.
    package var stores: [StorePage]

    package init(
        address: String, code: String?, messages: (action: String, branchKey: String)? = nil, stores: [StorePage] = []
    ) {
        self.address = address
        self.code = code
        self.messages = messages
        self.stores = stores
    }
}

extension Page {
    /// For a desktop that has nowhere else to go, or is to see what the link is about: the link as a QR code, or sent to a phone.
    ///
    /// - Parameter way: into the app of a desktop, and past it.
    package static func desktop(
        _ content: LinkContent, _ transfer: PhoneTransfer, _ way: WayIntoApp? = nil, showsImage: Bool = false,
        in language: PageLanguage
    ) -> Page {
        var model = way.map { PageModel(content, $0, in: language) } ?? PageModel(content, in: language)
        model.image = showsImage ? content.image : nil
        if transfer.code == nil { model.text = model.text ?? language[.openOnPhone] }
        model.code = transfer.code
        model.address = transfer.address
        model.form = transfer.messages.map { PageModel.Form(action: $0.action, branchKey: $0.branchKey) }
        model.stores = PageModel.Stores(transfer.stores)
        return Page(model)
    }

    /// - Parameter back: the link.
    package static func textMessageSent(_ brand: AppBrand, back: String, in language: PageLanguage) -> Page {
        var model = PageModel(title: language[.sentTitle], text: language[.sentText], in: language)
        model.show(brand)
        model.back = back
        return Page(model)
    }
}

extension PageModel.Stores {
    /// Nil for no stores.
    init?(_ pages: [StorePage]) {
        guard !pages.isEmpty else { return nil }
        self.pages = pages
    }
}
