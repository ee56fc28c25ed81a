import LindenKernel
import OutgoingHTTP

/// An HTTP client that acts as the browser and the SDK in the demo.
enum DemoClient {
    struct Answer {
        let status: Int
        let text: String

        var json: JSONObject { (try? JSON.parse(text).object) ?? [:] }

        fileprivate init(_ answer: DirectAnswer) {
            status = answer.status
            text = String(decoding: answer.bytes, as: UTF8.self)
        }
    }

    private static let limit = 1 << 20
    private static let timeout: Duration = .seconds(10)

    static func get(_ url: String, userAgent: String) async throws -> Answer {
        Answer(try await DirectClient.get(url, userAgent: userAgent, limit: limit, timeout: timeout))
    }

    static func post(_ url: String, _ body: JSON) async throws -> Answer {
        Answer(try await DirectClient.post(body.bytes, as: "application/json", to: url, limit: limit, timeout: timeout))
    }
}
