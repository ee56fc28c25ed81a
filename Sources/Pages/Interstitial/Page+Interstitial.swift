extension Page {
    /// Tries to open the app and goes on to the fallback when nothing happens, or to `after` once the app has opened. Both are links too, for whoever runs no script.
    package static func interstitial(title: String, appURI: String, fallback: String?, timeout: Int, after: String? = nil) -> Page {
        Page(
            PageModel(
                title: title, text: "Opening the app…", appURI: appURI, after: after, fallback: fallback, timeout: timeout,
                script: String(decoding: PackageResources.interstitial_js, as: UTF8.self)))
    }
}
