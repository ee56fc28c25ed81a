import LindenKernel

/// A link as stored: its data is still JSON text, because it may be large, and other writers would wait while it is parsed.
package struct StoredLink: Sendable {
    /// The link without its data.
    package var link: Link
    package let dataText: String

    package init(link: Link, dataText: String) {
        self.link = link
        self.dataText = dataText
    }

    /// Returns whether the data is stored as this text. Compares bytes.
    func hasData(_ text: String) -> Bool {
        dataText.utf8.count == text.utf8.count && dataText.utf8.elementsEqual(text.utf8)
    }

    /// Returns the link with other data than its own.
    func link(with data: JSONObject) -> Link {
        var link = self.link
        link.data = data
        return link
    }

    /// Parses the data. Not to be called within a write transaction.
    package func parsedData() throws -> JSONObject { try JSON.parse(dataText).object ?? [:] }
}

/// The result of the creation of a link within a transaction.
enum LinkCreation: Sendable {
    case done(Link)
    /// A link that exists already, with other data text than that of the call. It is parsed and compared after the transaction, see
    /// ``ExistingLinkData``.
    case existing(StoredLink, Relation)

    /// The relation of an existing link to the call.
    enum Relation: Sendable {
        case earlierTry
        case sameAlias(isSameOwner: Bool)
    }
}

/// The data of the existing links that the calls of one transaction met. Each is parsed once.
struct ExistingLinkData {
    private let isBulk: Bool
    private var data: [Link.ID: JSONObject] = [:]

    init(isBulk: Bool) {
        self.isBulk = isBulk
    }

    /// Returns the result of a call: `conflict` if it found its alias at a link that differs.
    mutating func result(
        of creation: LinkCreation, for new: NewLink, in scope: Scope, _ baseURL: BaseURL
    ) throws -> Result<Link, Failure> {
        switch creation {
        case .done(let link): return .success(link)
        case .existing(let stored, let relation):
            let link = stored.link(with: try data(of: stored))
            if case .sameAlias(let isSameOwner) = relation {
                do {
                    try link.confirm(equalTo: new, isSameOwner: isSameOwner, in: scope, baseURL, isBulk: isBulk)
                } catch let failure as Failure {
                    return .failure(failure)
                }
            }
            return .success(isBulk ? stored.link(with: new.data) : link)
        }
    }

    private mutating func data(of stored: StoredLink) throws -> JSONObject {
        if let known = data[stored.link.id] { return known }
        let parsed = try stored.parsedData()
        data[stored.link.id] = parsed
        return parsed
    }
}
