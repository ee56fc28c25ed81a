import LinkRouting

/// Finds out why a text cannot be the URL of a page on the web.
enum WebURL {
    /// What must be otherwise, to go on after the name of the text; nil if nothing speaks against it. As lenient as browsers are: what they
    /// understand is no problem.
    static func problem(with text: String) -> String? {
        let parts = URLParts(text)
        guard ["http", "https"].contains(parts.scheme), !parts.host.isEmpty else {
            return "must be a URL that begins with https:// or http://, not \"\(text)\""
        }
        guard isHost(parts.host) else {
            return "must be a URL with a host such as example.com after \(parts.scheme)://, not \"\(text)\""
        }
        return storeProblem(parts).map { "is \($0)" }
    }

    /// Also names in any script, which browsers translate, and addresses.
    private static func isHost(_ host: String) -> Bool {
        // Two schemes, one behind the other.
        guard !["http", "https"].contains(host) else { return false }
        return host.unicodeScalars.allSatisfy { scalar in
            !scalar.properties.isWhitespace && scalar.properties.generalCategory != .control
                && !"\"<>\\^`{|}%".unicodeScalars.contains(scalar)
        }
    }

    /// What a URL at a store lacks to be the page of an app; nil for other hosts, and for pages that are not of apps.
    static func storeProblem(_ parts: URLParts) -> String? {
        switch parts.host {
        case "apps.apple.com", "itunes.apple.com":
            let words = parts.path.split(separator: "/")
            guard words.contains("app"), !words.contains(where: { $0.wholeMatch(of: /id[0-9]+/) != nil }) else { return nil }
            return "a page of the App Store without an app's number, such as https://apps.apple.com/app/id123456789"
        case "play.google.com":
            guard parts.path == "/store/apps/details" else { return nil }
            let package = parts.queryItems.first { $0.name == "id" }?.value ?? ""
            guard !AppName.package.fits(package) else { return nil }
            return "a page of Google Play without an app's package, such as "
                + "https://play.google.com/store/apps/details?id=com.example.orchard"
        default: return nil
        }
    }
}
