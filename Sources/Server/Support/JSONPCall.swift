import Foundation
import HTTPTypes
import Hummingbird
import LindenKernel
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
        // Searched rather than parsed: bodies are parsed once they have their turn.
        carriesSecret = body.hasBytes(of: "branch_secret")
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
        let json = collected.bytes
        // The leading comment keeps the response from being interpreted as another type.
        var script = ByteBuffer(string: "/**/\(callback)(")
        script.writeBytes(json.isEmpty ? Array("{}".utf8) : Self.escapingLineSeparators(in: json))
        script.writeString(");")
        var wrapped = Response(status: response.status, headers: response.headers, body: .init(byteBuffer: script))
        wrapped.headers[.contentType] = "text/javascript; charset=utf-8"
        wrapped.headers[.contentLength] = nil
        return wrapped
    }

    /// Escapes U+2028 and U+2029, which are valid in JSON strings but end a line in older JavaScript.
    static func escapingLineSeparators(in json: [UInt8]) -> [UInt8] {
        guard json.hasBytes(of: "\u{2028}") || json.hasBytes(of: "\u{2029}") else { return json }
        var escaped: [UInt8] = []
        escaped.reserveCapacity(json.count + 64)
        var rest = json[...]
        while let byte = rest.popFirst() {
            if byte == 0xE2, rest.first == 0x80, let last = rest.dropFirst().first, last == 0xA8 || last == 0xA9 {
                escaped += Array((last == 0xA8 ? "\\u2028" : "\\u2029").utf8)
                rest = rest.dropFirst(2)
            } else {
                escaped.append(byte)
            }
        }
        return escaped
    }

    /// Maximum bytes of a response, which is held in memory while it is wrapped. A link has 64 KiB.
    static let maximumBytes = 128 << 10

    private static func isName(_ text: String) -> Bool {
        text.utf8.count <= 128
            && text.wholeMatch(of: /[A-Za-z_$][A-Za-z0-9_$]*(\.[A-Za-z_$][A-Za-z0-9_$]*)*/) != nil
    }
}
