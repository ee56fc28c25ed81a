/// A host's response to a request for one of its association files.
package struct HostedFile: Sendable {
    package let url: String
    package let status: Int
    package let contentType: String?
    package let contentEncoding: String?
    /// The target of a redirect.
    package let location: String?
    package let bytes: [UInt8]

    package init(
        url: String, status: Int = 200, contentType: String?, contentEncoding: String? = nil, location: String? = nil,
        bytes: [UInt8]
    ) {
        self.contentEncoding = contentEncoding
        self.url = url
        self.status = status
        self.contentType = contentType
        self.location = location
        self.bytes = bytes
    }
}

/// The operating system vendor whose phones use an association file.
package enum AssociationSystem: String, Sendable {
    case apple
    case android

    package var path: String {
        switch self {
        case .apple: "/.well-known/apple-app-site-association"
        case .android: "/.well-known/assetlinks.json"
        }
    }

    /// The path that the oldest iOS versions use, and newer ones if there is no file at the path above.
    package static let oldApplePath = "/apple-app-site-association"

    /// The company that fetches the file, for messages.
    var reader: String {
        switch self {
        case .apple: "Apple"
        case .android: "Google"
        }
    }
}
