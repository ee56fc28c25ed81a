extension Page {
    /// Tries to open the app and goes on to the fallback when nothing happens, or to where the way leads afterwards once the app has
    /// opened. All are links too, for browsers that run no script.
    package static func interstitial(_ content: LinkContent, _ way: WayIntoApp, in language: PageLanguage) -> Page {
        var model = PageModel(content, way, in: language)
        model.opensAtOnce = way.automatic
        return Page(model)
    }
}
