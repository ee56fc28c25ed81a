import LindenKernel

/// The description of a universal object by a link or an event, truncated to the size that can be stored.
package struct ObjectDescription: Sendable, Equatable {
    package let identifier: String
    package let data: JSONObject
    /// The data as compact JSON, serialised here because a description is made before a transaction.
    package let text: String

    /// The members of link data that describe its content. Nil if they contain no identifier.
    init?(linkData: JSONObject) {
        self.init(linkData.only(UniversalObject.names))
    }

    /// An object that describes only content, such as an item of an event. Includes the app's own keys.
    package init?(item: JSONObject) {
        self.init(item.filter { key, _ in key.utf8.first != UInt8(ascii: "~") && key.utf8.first != UInt8(ascii: "+") })
    }

    private init?(_ described: JSONObject) {
        guard let identifier = UniversalObject.identifier(in: described) else { return nil }
        self.identifier = identifier
        var described = described
        if let url = described["$canonical_url"]?.string {
            described["$canonical_url"] = .string(UniversalObject.withoutClick(url))
        }
        let whole = JSON.object(described).text
        let values = MemberSizes.valueBytes * JSON.object(described).innerValues
        guard whole.utf8.count + values >= UniversalObject.largestData else {
            (data, text) = (described, whole)
            return
        }
        // The member that identifies the object has priority over all others.
        let naming = described["$canonical_identifier"]?.scalarText == nil ? "$canonical_url" : "$canonical_identifier"
        var sizes = MemberSizes(limit: UniversalObject.largestData)
        sizes.admit(naming, described[naming] ?? .null)
        data = sizes.admitted(of: described)
        text = JSON.object(data).text
    }
}
