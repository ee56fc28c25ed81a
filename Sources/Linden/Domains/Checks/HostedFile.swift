/// What a host answered when it was asked for one of its association files.
package struct HostedFile: Sendable {
    package let url: String
    package let status: Int
    package let contentType: String?
    package let contentEncoding: String?
    /// Where a redirect leads.
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

/// Whose phones read an association file.
package enum AssociationSystem: String, Sendable {
    case apple
    case android

    package var path: String {
        switch self {
        case .apple: "/.well-known/apple-app-site-association"
        case .android: "/.well-known/assetlinks.json"
        }
    }

    /// Where the oldest iOS looks, and newer ones where there is nothing at the path above.
    package static let oldApplePath = "/apple-app-site-association"

    /// Who fetches the file.
    var reader: String {
        switch self {
        case .apple: "Apple"
        case .android: "Google"
        }
    }
}
