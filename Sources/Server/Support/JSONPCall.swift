import BranchWire
import Foundation
import HTTPTypes
import Hummingbird
import Linden
import LinkRouting
import NIOCore

/// A call that a page makes with a `<script>` element: a GET with the body as base64 in its query. The response is a script that passes the
/// JSON to a function of the page.
struct JSONPCall {
    /// The equivalent plain request.
    let request: Request
    private let callback: String
    /// Whether the body that was decoded from the URL has a secret.
    let carriesSecret: Bool

    /// Whether a request may be such a call, determined without decoding its query.
    static func isCandidate(_ request: Request) -> Bool {
        request.method == .get && request.rawQuery?.hasBytes(of: "callback") == true && Routes.isForSDKs(path: request.rawPath)
    }

    /// Returns nil if a request has no valid callback name, and for calls that SDKs do not make in this way.
    init?(_ request: Request) {
        guard Self.isCandidate(request), let callback = request.queryValue("callback"), Self.isName(callback) else { return nil }
        self.callback = callback
        guard let text = request.queryValue("post_data") ?? request.queryValue("data"), let body = Base64.decode(text) else {
            self.request = request
            carriesSecret = false
            return
        }
        carriesSecret = (try? RequestFields(bytes: body))?.branchSecret != nil
        var head = request.head
        head.method = .post
        // So that a large body counts towards the budget of bodies.
        head.headerFields[.contentLength] = String(body.count)
        self.request = Request(head: head, body: RequestBody(buffer: ByteBuffer(bytes: body)))
    }

    /// Returns the response as a script. The status is kept: SDKs evaluate it.
    func wrap(_ response: Response) async throws -> Response {
        let collected = BodyCollector(limit: Self.maximumBytes)
        try await response.body.write(collected)
        let json = collected.text.isEmpty ? "{}" : collected.text
        // U+2028 and U+2029 are valid in JSON strings but end a line in older JavaScript. The leading comment keeps the response from being
        // interpreted as another type.
        let safe = json.replacing("\u{2028}", with: "\\u2028").replacing("\u{2029}", with: "\\u2029")
        var wrapped = Response(
            status: response.status, headers: response.headers,
            body: .init(byteBuffer: ByteBuffer(string: "/**/\(callback)(\(safe));")))
        wrapped.headers[.contentType] = "text/javascript; charset=utf-8"
        wrapped.headers[.contentLength] = nil
        return wrapped
    }

    /// Maximum bytes of a response, which is held in memory while it is wrapped.
    private static let maximumBytes = 1 << 20

    private static func isName(_ text: String) -> Bool {
        text.utf8.count <= 128
            && text.wholeMatch(of: /[A-Za-z_$][A-Za-z0-9_$]*(\.[A-Za-z_$][A-Za-z0-9_$]*)*/) != nil
    }
}
