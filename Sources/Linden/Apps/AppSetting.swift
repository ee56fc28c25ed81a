/// A setting of an app that is known here: its name, what it may hold, and what it does.
///
/// Further names are kept and given back, so that a configuration can be moved here whole, and have no effect.
package struct AppSetting: Sendable {
    /// What a setting may hold.
    package enum Kind: Sendable {
        case text
        case webURL
        case uriScheme
        case appStoreID
        case appName(AppName)
        case host
        /// Names of hosts, with `*.` before one for all below it.
        case hosts
        case certificateFingerprints
        case flag
        /// A switch of Branch's, which also writes it as a number.
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
    /// What holds where the setting is missing, in words; nil for nothing.
    package let standard: String?
    /// One sentence for the operator.
    package let meaning: String

    init(_ name: String, _ kind: Kind, default standard: String? = nil, _ meaning: String) {
        self.name = name
        self.kind = kind
        self.standard = standard
        self.meaning = meaning
    }

    /// The setting of that name; nil if none is known.
    package static func named(_ name: String) -> AppSetting? { byName[name] }

    /// The known name that an unknown one was most likely meant to be; nil if none is near.
    package static func nearestName(to name: String) -> String? { Spelling.nearest(to: name, in: all.map(\.name)) }

    private static let byName = Dictionary(uniqueKeysWithValues: all.map { ($0.name, $0) })
}

extension AppSetting.Kind {
    /// What fits, in a few words.
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
