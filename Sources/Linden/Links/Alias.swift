import LindenKernel

/// The rules for a custom path of a link.
package enum Alias {
    /// Reserved first segments, in lower case: the server's own routes, Branch's routes, and the paths of Branch's other links (`/a/<key>`,
    /// `/c/<id>`, `/d/`, `/e/<slug>`, `/l/`, `/m/`, `/i/`).
    package static let reservedSegments: Set<String> = [
        "api", "mcp", "v1", "v2", "v3", "sdk", "metrics", "healthz", "readyz", "openapi.yaml", "assets", "static", "favicon.ico",
        "robots.txt", "ads.txt", "app-ads.txt", "security.txt", "index.html", "sitemap.xml", "apple-app-site-association",
        ".well-known", "_r", "_strong_match", "dashboard",
        "bingsiteauth.xml", "crossdomain.xml", "clientaccesspolicy.xml", "humans.txt", "llms.txt", "manifest.json", "sw.js",
    ]

    /// The first segments of pages and files of operators.
    package static let operatorSegments = ["dashboard", "api"]

    /// The beginnings, in lower case, of the HTML files by which search engines and networks verify the owner of a host. The public key is
    /// enough to create a link, and must not be enough to occupy such a name.
    package static let verificationFilePrefixes = ["google", "yandex_", "pinterest-"]

    /// Checks an alias. Throws `invalid` with what is allowed.
    package static func check(_ alias: String) throws {
        guard !alias.isEmpty else { throw Failure.invalid("alias must not be empty.") }
        guard alias.unicodeScalars.count <= LengthLimits.alias else {
            throw Failure.invalid("alias may have at most \(LengthLimits.alias) characters.")
        }
        guard alias.unicodeScalars.allSatisfy(isAllowed) else {
            throw Failure.invalid("alias may contain only letters, digits, slashes and -._~!$&'()*+,;=:@.")
        }
        // By scalars: a mark after a slash makes one character with it.
        let segments = alias.unicodeScalars.split(separator: "/", omittingEmptySubsequences: false).map { String($0) }
        guard segments.allSatisfy({ !$0.isEmpty && $0 != "." && $0 != ".." }) else {
            throw Failure.invalid("alias must not begin or end with a slash, nor contain empty, . or .. segments.")
        }
        let first = segments[0].lowercased()
        guard first.unicodeScalars.count > 1, first.unicodeScalars.first != ".", !reservedSegments.contains(first),
            !isVerificationFile(first)
        else {
            throw Failure.invalid(
                "alias must not begin with \(segments[0]): that path is reserved. Reserved as first segments are single characters, "
                    + "names that begin with a dot, \(verificationFilePrefixes.map { "\($0)*.html" }.joined(separator: ", ")), "
                    + "and \(reservedSegments.filter { !$0.hasPrefix(".") }.sorted().joined(separator: ", "))."
            )
        }
    }

    private static func isVerificationFile(_ segment: String) -> Bool {
        segment.hasSuffix(".html") && verificationFilePrefixes.contains { segment.hasPrefix($0) }
    }

    private static func isAllowed(_ scalar: Unicode.Scalar) -> Bool {
        if scalar.isASCII {
            return scalar.properties.isAlphabetic || ("0"..."9").contains(scalar)
                || "-._~!$&'()*+,;=:@/".unicodeScalars.contains(scalar)
        }
        return scalar.properties.isAlphabetic || scalar.properties.numericType != nil
            || scalar.properties.generalCategory == .nonspacingMark
    }
}
