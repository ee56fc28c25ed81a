/// What a URL answered with.
package struct FetchedBody: Sendable, Hashable {
    package let bytes: [UInt8]
    /// The `Content-Type` header as it came: a claim, not a fact.
    package let contentType: String?

    package init(bytes: [UInt8], contentType: String?) {
        self.bytes = bytes
        self.contentType = contentType
    }
}
