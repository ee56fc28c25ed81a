import Foundation

/// What Apple told an app of the ad in the App Store that its user came by, which iOS SDKs up to 1.x pass on: the answer of ADClient's
/// `requestAttributionDetails`, base64 of its JSON.
package struct SearchAd: Sendable, Equatable {
    /// Apple says that an ad brought the user. It also answers where none did.
    package let isAttributed: Bool
    /// Made up: Apple gives every app that did not come from its store the same campaign, and so does the SDK in its debug mode.
    package let isSample: Bool
    /// When the ad was tapped; nil where Apple does not say.
    package let clickedAt: Timestamp?
    /// The ad in Branch's words; empty where none brought the user.
    package let labels: JSONObject

    /// Nil for a text that is no such answer.
    ///
    /// - Parameter isDebug: the SDK says that the app is in debug mode.
    package init?(encoded: String, isDebug: Bool = false) {
        guard encoded.utf8.count <= Self.longestText, let bytes = Base64.decode(encoded),
            let answer = try? JSON.parse(bytes).object,
            let details = AppleDetails(answer)
        else { return nil }
        isAttributed = details.text("iad-attribution") == "true" || details.text("iad-attribution") == "1"
        isSample = isDebug || details.text("iad-campaign-id") == Self.sampleCampaign
        clickedAt = details.text("iad-click-date").flatMap { Timestamp(iso8601: $0) }
        labels = isAttributed ? details.labels : [:]
    }

    /// What Branch says of every such ad (help.branch.io, "Apple Search Ads").
    static let partner: JSONObject = ["~advertising_partner_name": "Apple Search Ads", "~channel": "Apple App Store"]

    init(isAttributed: Bool, isSample: Bool, clickedAt: Timestamp?, labels: JSONObject) {
        self.isAttributed = isAttributed
        self.isSample = isSample
        self.clickedAt = clickedAt
        self.labels = labels
    }

    /// Whether a session may be given to the ad: only a test key's may be to a made-up one.
    package func counts(in mode: Mode) -> Bool {
        isAttributed && (!isSample || mode == .test)
    }

    /// In bytes; real answers have about a thousand.
    private static let longestText = 16 * 1024
    static let sampleCampaign = "1234567890"
}

/// Apple's answer: its members, which are texts, numbers or booleans from one version of iOS to another.
private struct AppleDetails {
    private let members: JSONObject

    /// The members lie under the version of the answer, of which the newest counts.
    init?(_ answer: JSONObject) {
        let versions = answer.filter { key, _ in key.hasPrefix("Version") }
        let newest = versions.keys.max { $0.compare($1, options: .numeric) == .orderedAscending }
        guard let members = newest.map({ answer[$0]?.object }) ?? answer, members.keys.contains(where: { $0.hasPrefix("iad-") })
        else { return nil }
        self.members = members
    }

    func text(_ keys: String...) -> String? {
        for key in keys {
            guard let text = members[key]?.scalarText, !text.isEmpty, !text.utf8.contains(0) else { continue }
            return text.utf8.count <= Self.longestLabel ? text : String(text.prefix(Self.longestLabel / 4))
        }
        return nil
    }

    /// In bytes.
    private static let longestLabel = 512

    /// As Branch maps them. An ad group was a line item in older answers, and a creative set a creative.
    var labels: JSONObject {
        var labels = SearchAd.partner
        let told: [(label: String, text: String?)] = [
            ("~campaign", text("iad-campaign-name")), ("~campaign_id", text("iad-campaign-id")),
            ("~ad_set_name", text("iad-adgroup-name", "iad-lineitem-name")),
            ("~ad_set_id", text("iad-adgroup-id", "iad-lineitem-id")),
            ("~keyword", text("iad-keyword")), ("~keyword_id", text("iad-keyword-id")),
            ("~creative_name", text("iad-creativeset-name", "iad-creative-name")),
            ("~creative_id", text("iad-creativeset-id", "iad-creative-id")),
        ]
        for (label, text) in told { labels[label] = text.map(JSON.string) }
        return labels
    }
}
