import HTTPTypes
import Hummingbird
import Linden
import NIOCore

/// What phones fetch from a host of links before they hand any of them to an app. Both want status 200 at once, with no redirect.
struct DomainRoutes {
    let services: Services
    let options: ServerOptions

    func appleAssociation(_ request: Request, _ context: LindenContext) async throws -> Response {
        try await answer(request) { $0.apple(options.associationShape) }
    }

    func assetLinks(_ request: Request, _ context: LindenContext) async throws -> Response {
        try await answer(request, \.android)
    }

    private func answer(_ request: Request, _ file: (AssociationFiles) -> JSON) async throws -> Response {
        guard let files = try await services.domains.associationFiles(of: request.host) else {
            throw Failure.notFound("No app has links on this host.")
        }
        let bytes = file(files).bytes
        let tag = "\"" + Secret.hash(String(decoding: bytes, as: UTF8.self)).prefix(8).map { String($0, radix: 16) }.joined() + "\""
        let headers: HTTPFields = [
            .contentType: "application/json", .xContentTypeOptions: "nosniff", .eTag: tag, .cacheControl: "max-age=600",
        ]
        if request.headers[.ifNoneMatch]?.contains(tag) == true { return Response(status: .notModified, headers: headers) }
        return Response(status: .ok, headers: headers, body: .init(byteBuffer: ByteBuffer(bytes: bytes)))
    }
}
