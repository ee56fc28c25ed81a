extension Page {
    /// Shows what a link is about before its visitor leaves for the app or the store: by a button, or by itself.
    ///
    /// - Parameter copied: the link, if the button is to put it onto the clipboard on the way to the store.
    package static func deepview(
        _ content: LinkContent, _ way: WayIntoApp, isPassive: Bool = false, copied: String? = nil, in language: PageLanguage
    ) -> Page {
        var model = PageModel(content, way, in: language)
        model.image = content.image
        model.opensAtOnce = isPassive ? way.automatic ?? "fallback" : nil
        if way.automatic == nil { model.busy = language[.continuing] }
        if let copied, let fallback = model.fallback {
            model.copyTo = fallback
            model.copied = copied
            model.fallback = nil
        }
        return Page(model)
    }
}
