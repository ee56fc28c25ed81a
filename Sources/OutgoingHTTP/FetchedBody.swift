/// The body of a successful response.
package struct FetchedBody: Sendable, Hashable {
    package let bytes: [UInt8]
    /// The `Content-Type` header as received; not verified against the bytes.
    package let contentType: String?

    package init(bytes: [UInt8], contentType: String?) {
        self.bytes = bytes
        self.contentType = contentType
    }
}
