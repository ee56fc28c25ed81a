import BranchWire
import HTTPTypes
import Hummingbird
import Linden
import LindenKernel
import NIOCore

/// The script that the Web SDK's `deepview()` loads; see ``JSONPCall`` for its wrapping.
struct DeepviewRoutes {
    let directory: AppDirectory
    let links: LinkService
    let baseURL: BaseURL
    let clock: WallClock
    let options: ServerOptions

    func deepview(_ request: Request, _ context: LindenContext) async throws -> Response {
        let body =
            request.method == .get
            ? try RequestFields(query: request.rawQuery ?? "") : try await request.fields(upTo: options.maximumBodyBytes)
        let app = try await context.admittedApp(body, in: directory)
        let page = DeepviewRequest(body)
        let script = try page.script(
            app: app, continuing: try await referringLink(page, app), baseURL: baseURL, sizes: links.sizes)
        return Response(
            status: .ok,
            headers: [
                .contentType: "text/javascript; charset=utf-8", .xContentTypeOptions: "nosniff", .cacheControl: "no-store",
            ],
            body: .init(byteBuffer: ByteBuffer(string: script)))
    }

    /// Returns the address of the link that led to the page; nil if there is none, if it is another app's, or if it does not open the app
    /// any more or at all: then its address would only lead back to the page.
    private func referringLink(_ page: DeepviewRequest, _ app: AppContext) async throws -> String? {
        guard let url = page.referringLink(app: app, baseURL: baseURL) else { return nil }
        do {
            let link = try await links.link(url: url, in: app.scope)
            return link.opensApp(at: clock.now(), in: app.app.configuration) ? url : nil
        } catch let failure as Failure where failure.code == .notFound {
            return nil
        }
    }
}
