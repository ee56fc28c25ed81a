import BranchWire
import Foundation
import HTTPTypes
import Hummingbird
import Linden
import LinkRouting
import NIOCore

/// A call that a page makes with a `<script>` element: always GET, its body as base64 in the query, its answer a script that hands
/// the JSON to a function of the page.
struct JSONPCall {
    /// The call as it would be without the script.
    let request: Request
    private let callback: String
    /// Whether the data in the address, which stands for a body, holds a secret.
    let carriesSecret: Bool

    /// Whether a request may be one, as far as can be seen without decoding its query.
    static func isCandidate(_ request: Request) -> Bool {
        request.method == .get && request.rawQuery?.hasBytes(of: "callback") == true && Routes.isForSDKs(path: request.rawPath)
    }

    /// Nil for a request that names no callback, or one that is not a name, and for calls that no SDK makes this way.
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
        self.request = Request(head: head, body: RequestBody(buffer: ByteBuffer(bytes: body)))
    }

    /// The answer as a script. The status stays: SDKs go by it.
    func wrap(_ response: Response) async throws -> Response {
        let collected = BodyCollector(limit: Self.maximumBytes)
        try await response.body.write(collected)
        let json = collected.text.isEmpty ? "{}" : collected.text
        // Two line separators are fine in JSON but end a line in older JavaScript. The comment keeps the answer from being taken for
        // anything but a script.
        let safe = json.replacing("\u{2028}", with: "\\u2028").replacing("\u{2029}", with: "\\u2029")
        var wrapped = Response(
            status: response.status, headers: response.headers,
            body: .init(byteBuffer: ByteBuffer(string: "/**/\(callback)(\(safe));")))
        wrapped.headers[.contentType] = "text/javascript; charset=utf-8"
        wrapped.headers[.contentLength] = nil
        return wrapped
    }

    /// An answer is held whole while it is made a script.
    private static let maximumBytes = 1 << 20

    private static func isName(_ text: String) -> Bool {
        text.utf8.count <= 128
            && text.wholeMatch(of: /[A-Za-z_$][A-Za-z0-9_$]*(\.[A-Za-z_$][A-Za-z0-9_$]*)*/) != nil
    }
}
