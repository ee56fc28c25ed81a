import LindenKernel

extension SearchAd {
    /// Parses the response of Apple's AdServices to a token, which has ids but no names (developer.apple.com, "Apple Ads Attribution API").
    /// Nil for anything else.
    package init?(adServices bytes: [UInt8]) {
        guard let answer = try? JSON.parse(bytes, within: .untrusted).object, case .bool(let isAttributed)? = answer["attribution"]
        else { return nil }
        func text(_ key: String) -> JSON? { answer[key]?.scalarText.flatMap { $0.utf8.count <= 64 ? .string($0) : nil } }
        var labels = Self.partner
        for (label, key) in [
            ("~campaign_id", "campaignId"), ("~ad_set_id", "adGroupId"), ("~keyword_id", "keywordId"), ("~ad_id", "adId"),
        ] { labels[label] = text(key) }
        self.init(
            isAttributed: isAttributed, isSample: labels["~campaign_id"]?.string == Self.sampleCampaign,
            clickedAt: answer["clickDate"]?.string.flatMap { Timestamp(iso8601: $0) }, labels: isAttributed ? labels : [:])
    }
}
