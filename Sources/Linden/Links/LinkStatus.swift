import LindenKernel

/// The part of a link that attribution reads for every candidate click, session and event. Reading it costs the same however large the
/// link's data is.
package struct LinkStatus: Sendable {
    package let isDeleted: Bool
    /// See ``Link/isOneTimeUse``.
    package let isOneTimeUse: Bool
    /// See ``Link/isUsedUp``.
    package let isUsedUp: Bool
    /// Whether the number of clicks is limited (`max_clicks`).
    package let hasClickLimit: Bool
    package let windows: LinkWindows

    package init(isDeleted: Bool, isOneTimeUse: Bool, isUsedUp: Bool, hasClickLimit: Bool, windows: LinkWindows) {
        self.isDeleted = isDeleted
        self.isOneTimeUse = isOneTimeUse
        self.isUsedUp = isUsedUp
        self.hasClickLimit = hasClickLimit
        self.windows = windows
    }
}

/// A link's own attribution windows in days, such as `30.0`. Nil where the link sets none, or one that is not allowed.
package struct LinkWindows: Sendable, Equatable {
    package let install: String?
    package let sessionStart: String?
    package let conversion: String?

    static let unset = LinkWindows(install: nil, sessionStart: nil, conversion: nil)

    package init(install: String?, sessionStart: String?, conversion: String?) {
        self.install = install
        self.sessionStart = sessionStart
        self.conversion = conversion
    }

    /// Decodes the windows as they are stored with a click.
    package init(stored text: String) {
        let days = text.split(separator: ";", omittingEmptySubsequences: false).map { $0.isEmpty ? nil : String($0) }
        self.init(
            install: days.first ?? nil, sessionStart: days.dropFirst().first ?? nil, conversion: days.dropFirst(2).first ?? nil)
    }

    /// The windows as they are stored with a click.
    package var stored: String { [install, sessionStart, conversion].map { $0 ?? "" }.joined(separator: ";") }
}

extension Link {
    /// The link's own attribution windows.
    package var windows: LinkWindows { LinkWindows(data: data) }
}

extension LinkWindows {
    /// The windows in a link's data.
    init(data: JSONObject) {
        func days(_ name: StaticString) -> String? {
            AttributionWindows.number(data["$\(name)"]?.scalarText).map { String($0) }
        }
        self.init(
            install: days(AttributionWindows.installName), sessionStart: days(AttributionWindows.sessionStartName),
            conversion: days(AttributionWindows.conversionName))
    }
}
