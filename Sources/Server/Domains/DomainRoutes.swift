import HTTPTypes
import Hummingbird
import Linden
import LindenKernel
import LindenServices
import NIOCore

/// The association files that phones fetch before they open a host's links in an app. iOS and Android both require status 200 without a
/// redirect.
struct DomainRoutes {
    let domains: DomainService
    let options: ServerOptions

    func appleAssociation(_ request: Request, _ context: LindenContext) async throws -> Response {
        try await answer(request, .apple(options.associationShape))
    }

    func assetLinks(_ request: Request, _ context: LindenContext) async throws -> Response {
        try await answer(request, .android)
    }

    private func answer(_ request: Request, _ kind: AssociationFile.Kind) async throws -> Response {
        guard let file = try await domains.associationFile(kind, of: request.host) else {
            throw Failure.notFound("No app has links on this host.")
        }
        let headers: HTTPFields = [
            .contentType: "application/json", .xContentTypeOptions: "nosniff", .eTag: "\"\(file.tag)\"",
            .cacheControl: "max-age=600",
        ]
        if request.headers[.ifNoneMatch]?.namesTag(file.tag) == true { return Response(status: .notModified, headers: headers) }
        return Response(status: .ok, headers: headers, body: .init(byteBuffer: ByteBuffer(bytes: file.bytes)))
    }
}

extension String {
    /// Whether the entity tags of an `If-None-Match` header contain one. Compares bytes: a search for a string compares characters, which is
    /// slow in a large header.
    fileprivate func namesTag(_ tag: String) -> Bool {
        utf8.split(separator: UInt8(ascii: "\"")).contains { $0.elementsEqual(tag.utf8) }
    }
}
