/// What a link or an event says of a universal object, cut to what can be kept.
package struct ObjectDescription: Sendable, Equatable {
    package let identifier: String
    package let data: JSONObject

    /// What link data says of the content that it is about. Nil if it names none.
    init?(linkData: JSONObject) {
        self.init(linkData.filter { key, _ in UniversalObject.keys.contains(key) })
    }

    /// What is about the content and nothing else, as the items of events are: the app's own keys are kept, too.
    package init?(item: JSONObject) {
        self.init(item.filter { key, _ in key.first != "~" && key.first != "+" })
    }

    private init?(_ described: JSONObject) {
        guard let identifier = UniversalObject.identifier(in: described) else { return nil }
        self.identifier = identifier
        // What names the object comes first, whatever else there is.
        let naming = described["$canonical_identifier"]?.scalarText == nil ? "$canonical_url" : "$canonical_identifier"
        var sizes = MemberSizes(limit: UniversalObject.largestData)
        sizes.admit(naming, described[naming] ?? .null)
        data = sizes.admitted(of: described)
    }
}
