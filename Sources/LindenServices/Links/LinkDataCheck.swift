import Linden
import LindenKernel
import LinkRouting

extension AppContext {
    /// Returns one sentence for each `$` key of a link's data that has no effect or whose value cannot be used; of more than 20, one for the
    /// rest. None of them prevents the link: Branch accepts any key, and the app receives all of them.
    package func dataWarnings(for data: JSONObject) -> [String] {
        var (warnings, left) = ([String](), 0)
        for (name, value) in data where name.utf8.first == UInt8(ascii: "$") {
            let key = LinkDataKey.named(name)
            let problem = key.map { self.problem(with: value, $0.kind) } ?? "has no effect but that the app gets it"
            guard let problem else { continue }
            guard warnings.count < Self.mostDataWarnings else {
                left += 1
                continue
            }
            let near = key == nil ? LinkDataKey.nearestName(to: name).map { "; the nearest that has one is \($0)" } : nil
            warnings.append("\(name) \(problem)\(near ?? "").")
        }
        return left == 0 ? warnings : warnings + ["\(left) more of its $ keys have no effect, or values that cannot be used."]
    }

    private static let mostDataWarnings = 20

    /// Returns the warnings for an operator about a link with this data: paths that match no route, and data that has no effect.
    package func linkWarnings(for data: JSONObject) -> [String] { routeWarnings(for: data) + dataWarnings(for: data) }

    /// Returns the warnings about the data of a stored link as findings.
    package func dataFindings(on link: Link) -> [Finding] {
        let warnings = dataWarnings(for: link.data)
        guard warnings.isEmpty else { return warnings.map { Finding("link.data", .warning, $0, app: app.id) } }
        return [Finding("link.data", .ok, "All $ keys of the link are known and valid.", app: app.id)]
    }

    /// Returns the problem as a phrase that follows the key's name; nil for a value that can be used, and for an empty one.
    private func problem(with value: JSON, _ kind: LinkDataKey.Kind) -> String? {
        if kind == .tags, value.string != "" { return tagsProblem(value) }
        guard let text = value.scalarText, !text.isEmpty else { return nil }
        let shown = "not \"\(text.prefix(100))\""
        switch kind {
        case .text, .tags: return nil
        case .page: return pageProblem(text)
        case .webURL: return WebURL.problem(with: text)
        case .flag:
            let isFlag = ["true", "false", "1", "0", "yes", "no"].contains(text.lowercased())
            return isFlag ? nil : "must be true or false, \(shown)"
        case .path:
            return text.firstMatch(of: /^[A-Za-z][A-Za-z0-9+.-]*:\/\//) == nil
                ? nil : "must be a path alone, without a URI scheme before it, \(shown)"
        case .uriRedirectMode: return URIRedirectMode(text) == nil ? "must be 0, 1 or 2, \(shown)" : nil
        case .duration: return (Int64(text) ?? -1) < 0 ? "must be a whole number, 0 or more, \(shown)" : nil
        case .redirectTimeout:
            return (0...10_000).contains(Int(text) ?? -1) ? nil : "must be milliseconds from 0 to 10000, \(shown)"
        case .days: return AttributionWindows.number(text) == nil ? "must be a number of days from 0 to 90, \(shown)" : nil
        case .number: return Double(text) == nil ? "must be a number, \(shown)" : nil
        case .message:
            return text.firstMatch(of: /\{\{\s*link\s*\}\}/) == nil ? "lacks {{ link }}, so the link is put at its end" : nil
        }
    }

    private func pageProblem(_ text: String) -> String? {
        guard routing.canRedirect(to: text) else {
            return
                "is passed over: it must be a URL that begins with https://, http://, itms-apps://, market://, intent:// or a URI "
                + "scheme of the app, not \"\(text.prefix(100))\""
        }
        guard routing.allows(text) else { return "is passed over: its host is not on the app's redirect_allowlist" }
        let parts = URLParts(text)
        return ["http", "https"].contains(parts.scheme) ? WebURL.problem(with: text) : nil
    }

    private func tagsProblem(_ value: JSON) -> String? {
        value.isNull || value.openedObject != nil ? nil : "must be a JSON object of names and values"
    }
}
