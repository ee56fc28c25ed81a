import Foundation
import Linden
import LindenKernel
import Testing

@Suite struct SearchAdTests {
    private static func ad(_ json: String, isDebug: Bool = false) -> SearchAd? {
        SearchAd(encoded: Data(json.utf8).base64EncodedString(), isDebug: isDebug)
    }

    @Test func whatAppleTellsOfAnAdIsWordedAsBranchWordsIt() throws {
        let ad = try #require(
            Self.ad(
                """
                {"Version3.1": {"iad-attribution": "true", "iad-org-id": "2786530", "iad-org-name": "Orchard Ltd",
                "iad-campaign-id": "884384280", "iad-campaign-name": "Pears \u{1F350}", "iad-adgroup-id": "886097725",
                "iad-adgroup-name": "Exact", "iad-lineitem-id": "1", "iad-lineitem-name": "Line", "iad-keyword": "juicy pears",
                "iad-keyword-id": "886131873", "iad-keyword-matchtype": "Exact", "iad-creativeset-id": "77",
                "iad-creativeset-name": "Autumn", "iad-click-date": "2021-11-15T20:19:25Z", "iad-country-or-region": "GB",
                "iad-conversion-date": "2021-11-15T20:20:08Z", "iad-conversion-type": "Download"}}
                """))

        #expect(ad.isAttributed)
        #expect(!ad.isSample)
        #expect(ad.clickedAt == Timestamp(iso8601: "2021-11-15T20:19:25Z"))
        #expect(
            ad.labels == [
                "~advertising_partner_name": "Apple Search Ads", "~channel": "Apple App Store", "~campaign": "Pears \u{1F350}",
                "~campaign_id": "884384280", "~ad_set_name": "Exact", "~ad_set_id": "886097725", "~keyword": "juicy pears",
                "~keyword_id": "886131873", "~creative_name": "Autumn", "~creative_id": "77",
            ])
    }

    /// iAd's format: numbers, booleans and iAd's names, with line items in place of ad groups.
    @Test func olderAnswersAreReadAsNewerOnes() throws {
        let ad = try #require(
            Self.ad(
                """
                {"Version3.1": {"iad-attribution": true, "iad-campaign-id": 15292426, "iad-lineitem-id": 15325601,
                "iad-lineitem-name": "2000 banner", "iad-creative-id": 226713, "iad-creative-name": "ad new", "iad-keyword": "",
                "iad-click-date": "11/04/2016 00:13:09"}}
                """))

        #expect(ad.isAttributed)
        #expect(ad.clickedAt == nil)
        #expect(
            ad.labels == [
                "~advertising_partner_name": "Apple Search Ads", "~channel": "Apple App Store", "~campaign_id": "15292426",
                "~ad_set_id": "15325601", "~ad_set_name": "2000 banner", "~creative_id": "226713", "~creative_name": "ad new",
            ])
    }

    @Test func theNewestVersionOfAnAnswerCounts() throws {
        let versions =
            #"{"Version3.9": {"iad-campaign-id": "9"}, "Version3.10": {"iad-attribution": "1", "iad-campaign-id": "10"}}"#
        #expect(Self.ad(versions)?.labels["~campaign_id"] == "10")
        #expect(Self.ad(#"{"iad-attribution": "true", "iad-campaign-id": "7"}"#)?.labels["~campaign_id"] == "7")
    }

    @Test(arguments: [
        #"{"Version3.1": {"iad-attribution": "false"}}"#, #"{"Version3.1": {"iad-campaign-id": "7"}}"#,
        #"{"Version3.1": {"iad-attribution": false, "iad-campaign-name": "Pears"}}"#,
        #"{"Version3.1": {"iad-attribution": ["true"], "iad-campaign-name": "Pears"}}"#,
    ])
    func whomNoAdBroughtHasNoLabels(answer: String) throws {
        let ad = try #require(Self.ad(answer))
        #expect(!ad.isAttributed)
        #expect(ad.labels.isEmpty)
        #expect(!ad.counts(in: .live) && !ad.counts(in: .test))
    }

    @Test(arguments: [
        (#"{"Version3.1": {"iad-attribution": "true", "iad-campaign-id": "1234567890"}}"#, false, true),
        (#"{"Version3.1": {"iad-attribution": true, "iad-campaign-id": 1234567890}}"#, false, true),
        (#"{"Version3.1": {"iad-attribution": "true", "iad-campaign-id": "7"}}"#, true, true),
        (#"{"Version3.1": {"iad-attribution": "true", "iad-campaign-id": "7"}}"#, false, false),
    ])
    func aMadeUpAdCountsForTestKeysAlone(answer: String, isDebug: Bool, isSample: Bool) throws {
        let ad = try #require(Self.ad(answer, isDebug: isDebug))
        #expect(ad.isSample == isSample)
        #expect(ad.counts(in: .test))
        #expect(ad.counts(in: .live) == !isSample)
    }

    @Test(arguments: [
        "", "{}", "[]", "null", "pears", #"{"Version3.1": {}}"#, #"{"Version3.1": "iad"}"#, #"{"Version3.1": null}"#,
        #"{"attribution": true, "campaignId": 7}"#, #"{"Version3.1": {"iad-attribution": "true""#,
    ])
    func whatIsNoAnswerOfApplesIsNone(json: String) {
        #expect(Self.ad(json) == nil)
    }

    @Test func whatIsNoBase64IsNone() {
        #expect(SearchAd(encoded: "") == nil)
        #expect(SearchAd(encoded: #"{"Version3.1": {"iad-attribution": "true"}}"#) == nil)
        #expect(SearchAd(encoded: String(repeating: "A", count: 1 << 20)) == nil)
    }

    @Test func aNameOfAnyLengthIsCutToALabel() throws {
        let long = String(repeating: "\u{1F350}", count: 1000)
        let ad = try #require(Self.ad(#"{"Version3.1": {"iad-attribution": "true", "iad-campaign-name": "\#(long)"}}"#))
        let name = try #require(ad.labels["~campaign"]?.string)
        #expect(long.hasPrefix(name) && (1...512).contains(name.utf8.count))
    }
}
