/// The ways to transfer a link from a desktop to a phone.
package struct PhoneTransfer: Sendable {
    /// The link's URL, shown as text.
    package var address: String
    /// The link's QR code as SVG; nil if it cannot be drawn.
    package var code: String?
    /// The form that sends the link to a phone number; nil if text messages are not configured.
    package var messages: (action: String, branchKey: String)?
    /// The app's pages in stores.
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
    /// The page for desktops: the link as a QR code, as text, or sent to a phone. Shown where a desktop has no other destination, or for a
    /// deepview.
    ///
    /// - Parameter way: how to launch the desktop's app, and the fallback past it.
    package static func desktop(
        _ content: LinkContent, _ transfer: PhoneTransfer, _ way: AppLaunch? = nil, showsImage: Bool = false,
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

    /// - Parameter back: the link's URL.
    package static func textMessageSent(_ brand: AppBrand, back: String, in language: PageLanguage) -> Page {
        var model = PageModel(title: language[.sentTitle], text: language[.sentText], in: language)
        model.show(brand)
        model.back = back
        return Page(model)
    }
}

extension PageModel.Stores {
    /// Nil if `pages` is empty.
    init?(_ pages: [StorePage]) {
        guard !pages.isEmpty else { return nil }
        self.pages = pages
    }
}
