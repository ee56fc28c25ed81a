import BranchWire
import HTTPTypes
import Hummingbird
import Linden
import NIOCore

/// The script that the Web SDK's `deepview()` loads; see ``JSONPCall`` for its wrapping.
struct DeepviewRoutes {
    let services: Services
    let options: ServerOptions

    func deepview(_ request: Request, _ context: LindenContext) async throws -> Response {
        let body =
            request.method == .get
            ? try RequestFields(query: request.rawQuery ?? "") : try await request.fields(upTo: options.maximumBodyBytes)
        let app = try await context.app(body, of: services)
        let script = try DeepviewRequest(body).script(app: app, baseURL: services.baseURL, sizes: services.links.sizes)
        return Response(
            status: .ok,
            headers: [
                .contentType: "text/javascript; charset=utf-8", .xContentTypeOptions: "nosniff", .cacheControl: "no-store",
            ],
            body: .init(byteBuffer: ByteBuffer(string: script)))
    }
}
