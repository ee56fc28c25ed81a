extension Page {
    /// A deepview: shows a link's content before the visitor goes on to the app or the store, by a button or, if passive, automatically.
    ///
    /// - Parameter copied: the link, if the button should copy it to the clipboard on the way to the store.
    package static func deepview(
        _ content: LinkContent, _ way: AppLaunch, isPassive: Bool = false, copied: String? = nil, in language: PageLanguage
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
