extension Page {
    /// Tries to open the app and goes on to the fallback when nothing happens, or to where the way leads afterwards once the app has
    /// opened. All are links too, for whoever runs no script.
    package static func interstitial(_ content: LinkContent, _ way: WayIntoApp) -> Page {
        var model = PageModel(content, way)
        model.opensAtOnce = way.automatic
        return Page(model)
    }
}
