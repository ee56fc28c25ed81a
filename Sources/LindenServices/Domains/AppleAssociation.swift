import LindenKernel
import RoutePatterns

/// An `apple-app-site-association` file, parsed as iOS does: the apps it names and the rules for their links.
struct AppleAssociation {
    let appIDs: Set<String>
    let links: AppleAppLinks

    /// Fails with `invalid`. The message is a predicate whose subject is the file.
    init(_ bytes: [UInt8]) throws(Failure) {
        guard !bytes.starts(with: [0xEF, 0xBB, 0xBF]) else {
            throw .invalid("begins with a byte order mark, which iOS does not read.")
        }
        let root: JSON
        do {
            root = try JSON.parse(bytes, within: .untrusted)
        } catch {
            throw .invalid("is not JSON: \(error).")
        }
        guard let applinks = root.object?["applinks"]?.object else { throw .invalid("has no object applinks.") }
        let details = try AppleAssociation.details(applinks["details"])
        do {
            let variables = (applinks["substitutionVariables"]?.object ?? [:]).map { ($0.key, $0.value.strings ?? []) }
            links = try AppleAppLinks(
                details: details, defaults: AppleLinkSettings(applinks["defaults"]),
                substitutionVariables: Dictionary(variables, uniquingKeysWith: { $1 }))
        } catch {
            throw .invalid("has a rule that cannot be read: \(error).")
        }
        appIDs = Set(details.flatMap(\.appIDs))
    }

    /// Returns the entries of `details`: an array or, in the oldest format, an object with the app ids as keys.
    private static func details(_ value: JSON?) throws(Failure) -> [AppleAppLinks.Detail] {
        switch value {
        case .array(let entries): try entries.map { (entry) throws(Failure) in try detail(entry, appIDs: nil) }
        case .object(let entries): try entries.map { (id, entry) throws(Failure) in try detail(entry, appIDs: [id]) }
        default: throw .invalid("has no array details in applinks.")
        }
    }

    private static func detail(_ entry: JSON, appIDs: [String]?) throws(Failure) -> AppleAppLinks.Detail {
        guard let entry = entry.object else { throw .invalid("has something other than an object in details.") }
        guard let appIDs = appIDs ?? entry["appIDs"]?.strings ?? entry["appID"]?.string.map({ [$0] }) else {
            throw .invalid("has an entry of details without appIDs.")
        }
        let components = entry["components"]?.array
        guard components != nil || entry["paths"]?.strings != nil else {
            throw .invalid("has an entry of details without components or paths.")
        }
        return AppleAppLinks.Detail(
            appIDs: appIDs, components: components?.map(AppleLinkComponent.init), paths: entry["paths"]?.strings ?? [],
            defaults: AppleLinkSettings(entry["defaults"]))
    }
}

extension AppleLinkSettings {
    fileprivate init(_ value: JSON?) {
        let members = value?.object
        self.init(caseSensitive: members?["caseSensitive"]?.truth, percentEncoded: members?["percentEncoded"]?.truth)
    }
}

extension AppleLinkComponent {
    fileprivate init(_ value: JSON) {
        let members = value.object ?? [:]
        let items = members["?"]?.object.map { items in
            Query.items(Dictionary(items.compactMap { name, value in value.string.map { (name, $0) } }, uniquingKeysWith: { $1 }))
        }
        self.init(
            path: members["/"]?.string, query: items ?? members["?"]?.string.map(Query.whole), fragment: members["#"]?.string,
            excludes: members["exclude"]?.truth ?? false, settings: AppleLinkSettings(value))
    }
}

extension JSON {
    fileprivate var truth: Bool? {
        if case .bool(let value) = self { value } else { nil }
    }

    /// Nil unless all elements are strings.
    fileprivate var strings: [String]? {
        guard let strings = array?.compactMap(\.string), strings.count == array?.count else { return nil }
        return strings
    }
}
