extension Page {
    /// The interstitial: tries to open the app, and goes on to the fallback if nothing happens, or to ``AppLaunch/after`` once the app has
    /// opened. Without scripts, the visitor can follow the same steps as links.
    package static func interstitial(_ content: LinkContent, _ way: AppLaunch, in language: PageLanguage) -> Page {
        var model = PageModel(content, way, in: language)
        model.opensAtOnce = way.automatic
        return Page(model)
    }
}
