import LinkRouting

/// Validation of texts as URLs of web pages.
package enum WebURL {
    /// Returns why a text is not the URL of a web page, as the continuation of a message that begins with the text's name; nil if it is
    /// one. As lenient as browsers: URLs that they understand are accepted.
    package static func problem(with text: String) -> String? {
        let parts = URLParts(text)
        guard ["http", "https"].contains(parts.scheme) else {
            return "must be a URL that begins with https:// or http://, not \"\(text)\""
        }
        guard !parts.host.isEmpty, isHost(parts.host) else {
            return "must be a URL with a host such as example.com after \(parts.scheme)://, not \"\(text)\""
        }
        return storeProblem(parts).map { "is \($0)" }
    }

    /// Whether a text may be a host: a name in any script, which browsers encode, or an IP address.
    private static func isHost(_ host: String) -> Bool {
        // A doubled scheme, as in `https://https://example.com`.
        guard !["http", "https"].contains(host) else { return false }
        return host.unicodeScalars.allSatisfy { scalar in
            !scalar.properties.isWhitespace && scalar.properties.generalCategory != .control
                && !"\"<>\\^`{|}%".unicodeScalars.contains(scalar)
        }
    }

    /// Returns what a store URL lacks to be an app's page; nil for other hosts, and for store pages that are not about apps.
    static func storeProblem(_ parts: URLParts) -> String? {
        switch parts.host {
        case "apps.apple.com", "itunes.apple.com":
            let words = parts.path.split(separator: "/")
            guard words.contains("app"), !words.contains(where: isAppNumber) else { return nil }
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

    /// Whether a part of a path is an app's number, such as `id123456789`. A path may have thousands of parts.
    private static func isAppNumber(_ word: Substring) -> Bool {
        word.utf8.starts(with: "id".utf8) && word.utf8.count > 2
            && word.utf8.dropFirst(2).allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
    }
}
