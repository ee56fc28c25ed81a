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
        dataText.hasSameBytes(as: text)
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
