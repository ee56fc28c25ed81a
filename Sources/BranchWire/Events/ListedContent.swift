import Linden
import LindenKernel

/// The content that the metadata of an old event lists: identifiers in `$canonical_identifier_list`, each described by the member of that
/// name, often as JSON text.
package struct ListedContent: Sendable {
    /// The content items, each identifier once, in the order of the list. Null stands for an invalid identifier. One item more than are
    /// counted per event shows that there are too many; the rest of the list is not read.
    package let items: [JSON]

    /// Parses each description at most once: a list may repeat an identifier thousands of times.
    package init?(metadata: JSONObject) {
        guard let list = metadata["$canonical_identifier_list"]?.array else { return nil }
        var items: [JSON] = []
        // By their bytes, as the database compares them.
        var seen: Set<[UInt8]> = []
        for identifier in list.lazy.compactMap(\.scalarText) {
            guard seen.count <= EventFacts.mostContent else { break }
            let named: JSONObject = ["$canonical_identifier": .string(identifier)]
            // Checked before it is hashed: a valid identifier is short.
            guard UniversalObject.identifier(in: named) != nil else {
                items.append(.null)
                continue
            }
            guard seen.insert(Array(identifier.utf8)).inserted else { continue }
            let described = metadata[identifier]?.openedObject ?? [:]
            items.append(.object(described.merging(named)))
        }
        self.items = items
    }
}
