import Foundation
import FoundationNetworking
import LindenKernel

/// An HTTP client that acts as the browser and the SDK in the demo.
enum DemoClient {
    struct Answer {
        let status: Int
        let text: String

        var json: JSONObject { (try? JSON.parse(text).object) ?? [:] }
    }

    static func get(_ url: String, userAgent: String) async throws -> Answer {
        var request = try request(url)
        request.setValue(userAgent, forHTTPHeaderField: "User-Agent")
        return try await send(request)
    }

    static func post(_ url: String, _ body: JSON) async throws -> Answer {
        var request = try request(url)
        request.httpMethod = "POST"
        request.setValue("application/json", forHTTPHeaderField: "Content-Type")
        request.httpBody = Data(body.bytes)
        return try await send(request)
    }

    private static func request(_ url: String) throws -> URLRequest {
        guard let url = URL(string: url) else { throw Failure.unusable("The demo failed: \(url) is no URL.") }
        return URLRequest(url: url, timeoutInterval: 10)
    }

    private static func send(_ request: URLRequest) async throws -> Answer {
        let (data, response) = try await URLSession.shared.data(for: request)
        return Answer(status: (response as? HTTPURLResponse)?.statusCode ?? 0, text: String(decoding: data, as: UTF8.self))
    }
}
