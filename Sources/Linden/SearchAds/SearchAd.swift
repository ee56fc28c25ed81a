import Foundation
import LindenKernel

/// Apple's attribution of an install to an ad in the App Store. iOS SDKs up to 1.x send it as the response of ADClient's
/// `requestAttributionDetails`, its JSON in base64.
package struct SearchAd: Sendable, Equatable {
    /// Whether an ad led to the install. Apple responds for other installs, too.
    package let isAttributed: Bool
    /// Whether the data is a sample: Apple returns the same campaign to every app that is not from its store, and so does the SDK in its
    /// debug mode.
    package let isSample: Bool
    /// When the ad was tapped; nil if Apple does not report it.
    package let clickedAt: Timestamp?
    /// The ad by Branch's keys; empty if no ad led to the install.
    package let labels: JSONObject

    /// Parses the response; nil for anything else.
    ///
    /// - Parameter isDebug: whether the SDK reports that the app is in debug mode.
    package init?(encoded: String, isDebug: Bool = false) {
        guard encoded.utf8.count <= Self.longestText, let bytes = Base64.decode(encoded),
            let answer = try? JSON.parse(bytes, within: .untrusted).object,
            let details = AppleDetails(answer)
        else { return nil }
        isAttributed = details.text("iad-attribution") == "true" || details.text("iad-attribution") == "1"
        isSample = isDebug || details.text("iad-campaign-id") == Self.sampleCampaign
        clickedAt = details.text("iad-click-date").flatMap { Timestamp(iso8601: $0) }
        labels = isAttributed ? details.labels : [:]
    }

    /// The members that Branch adds for every such ad (help.branch.io, "Apple Search Ads").
    static let partner: JSONObject = ["~advertising_partner_name": "Apple Search Ads", "~channel": "Apple App Store"]

    init(isAttributed: Bool, isSample: Bool, clickedAt: Timestamp?, labels: JSONObject) {
        self.isAttributed = isAttributed
        self.isSample = isSample
        self.clickedAt = clickedAt
        self.labels = labels
    }

    /// Whether a session may be attributed to the ad. Sample data counts only for test keys.
    package func counts(in mode: Mode) -> Bool {
        isAttributed && (!isSample || mode == .test)
    }

    /// The maximum length in bytes. Real responses have about a thousand.
    private static let longestText = 16 * 1024
    static let sampleCampaign = "1234567890"
}

/// The members of Apple's response, which are texts, numbers or booleans depending on the version of iOS.
private struct AppleDetails {
    private let members: JSONObject

    /// Reads the members of the newest version in the response, or those of the response itself if it has no versions.
    init?(_ answer: JSONObject) {
        let versions = answer.filter { key, _ in key.utf8.count <= Self.longestVersion && key.hasPrefix("Version") }
        let newest = versions.keys.max { $0.compare($1, options: .numeric) == .orderedAscending }
        guard let members = newest.map({ answer[$0]?.object }) ?? answer, members.keys.contains(where: { $0.hasPrefix("iad-") })
        else { return nil }
        self.members = members
    }

    func text(_ keys: String...) -> String? {
        for key in keys {
            guard let text = members[key]?.scalarText, !text.isEmpty, !text.utf8.contains(0) else { continue }
            return text.utf8.count <= Self.longestLabel ? text : String(text.unicodeScalars.prefix(Self.longestLabel / 4))
        }
        return nil
    }

    /// The maximum length of a version's name in bytes. Real ones are such as `Version3.1`; the time to compare long ones grows with the square.
    private static let longestVersion = 32
    /// The maximum length of a label in bytes.
    private static let longestLabel = 512

    /// The labels by Branch's mapping. Older responses call an ad group a line item, and a creative set a creative.
    var labels: JSONObject {
        var labels = SearchAd.partner
        let reported: [(label: String, text: String?)] = [
            ("~campaign", text("iad-campaign-name")), ("~campaign_id", text("iad-campaign-id")),
            ("~ad_set_name", text("iad-adgroup-name", "iad-lineitem-name")),
            ("~ad_set_id", text("iad-adgroup-id", "iad-lineitem-id")),
            ("~keyword", text("iad-keyword")), ("~keyword_id", text("iad-keyword-id")),
            ("~creative_name", text("iad-creativeset-name", "iad-creative-name")),
            ("~creative_id", text("iad-creativeset-id", "iad-creative-id")),
        ]
        for (label, text) in reported { labels[label] = text.map(JSON.string) }
        return labels
    }
}
