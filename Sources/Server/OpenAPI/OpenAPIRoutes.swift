import HTTPTypes
import Hummingbird
import NIOCore

/// The OpenAPI description of all calls.
enum OpenAPIRoutes {
    /// Shared by all answers: one that is not read holds no memory of its own.
    private static let text = ByteBuffer(bytes: PackageResources.openapi_yaml)

    static func document(_ request: Request, _ context: LindenContext) async throws -> Response {
        Response(
            status: .ok, headers: [.contentType: "application/yaml; charset=utf-8", .cacheControl: "max-age=3600"],
            body: .init(byteBuffer: text))
    }
}
