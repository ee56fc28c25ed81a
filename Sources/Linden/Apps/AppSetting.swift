import LindenKernel

/// A known setting of an app: its name, its type and its meaning.
///
/// Settings of other names are stored and returned, so that a configuration can be migrated completely, but have no effect.
package struct AppSetting: Sendable {
    /// The type of a setting's value.
    package enum Kind: Sendable {
        case text
        case webURL
        case uriScheme
        case appStoreID
        case appName(AppName)
        case host
        /// Host names; a leading `*.` includes all subdomains.
        case hosts
        case certificateFingerprints
        case flag
        /// A boolean in Branch's notation, which includes numbers.
        case branchFlag
        /// The name of a template, which turns deepviews on, or false.
        case deepview
        case choice([String])
        case number(ClosedRange<Int64>)
        /// A number, or `off`.
        case limit(ClosedRange<Int64>)
        case days
        case currency
        case uriRedirectMode
        case color
    }

    package let name: String
    package let kind: Kind
    /// A description of the default; nil if there is none.
    package let standard: String?
    /// One sentence for the operator.
    package let meaning: String

    init(_ name: String, _ kind: Kind, default standard: String? = nil, _ meaning: String) {
        self.name = name
        self.kind = kind
        self.standard = standard
        self.meaning = meaning
    }

    /// Returns the setting of a name; nil if the name is unknown.
    package static func named(_ name: String) -> AppSetting? { byName[name] }

    /// Fails with `invalid` for an unknown name, and with the known name that is most similar.
    package static func requireKnown(_ name: String) throws {
        guard named(name) == nil else { return }
        let near = nearestName(to: name).map { " Did you mean \($0)?" } ?? ""
        throw Failure.invalid("\(name) is not a setting of an app.\(near)")
    }

    /// Returns the known name most similar to an unknown one; nil if none is similar.
    package static func nearestName(to name: String) -> String? { Spelling.nearest(to: name, in: all.map(\.name)) }

    private static let byName = Dictionary(uniqueKeysWithValues: all.map { ($0.name, $0) })
}

extension AppSetting.Kind {
    /// The allowed values, in a few words.
    package var summary: String {
        switch self {
        case .text: "text"
        case .webURL: "URL"
        case .uriScheme: "URI scheme"
        case .appStoreID: "number, such as 123456789"
        case .appName(let name): name.summary
        case .host: "host name"
        case .hosts: "host names, with commas"
        case .certificateFingerprints: "SHA-256 fingerprints"
        case .flag, .branchFlag: "true or false"
        case .deepview: "true, false or a template's name"
        case .choice(let words): words.joined(separator: ", ")
        case .number(let range): "number, \(range.lowerBound) to \(range.upperBound)"
        case .limit(let range): "number, \(range.lowerBound) to \(range.upperBound), or off"
        case .days: "days, 0 to 90"
        case .currency: "code of ISO 4217"
        case .uriRedirectMode: "0, 1 or 2"
        case .color: "colour, such as #256a45"
        }
    }
}
