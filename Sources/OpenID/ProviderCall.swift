import LindenKernel
import LinkRouting
import OutgoingHTTP

/// Requests to the provider, bounded in time and size. All fail with `unavailable` if there is no whole response.
enum ProviderCall {
    private static let timeout = Duration.seconds(10)
    private static let mostBytes = 256 << 10

    /// Returns the JSON object at an address. Fails with `unavailable` for anything else, too.
    static func read(_ url: String) async throws -> JSONObject {
        let (status, members) = try await get(url, authorization: nil)
        guard status == 200, let members else {
            throw Failure.badProvider("\(url) answers \(status) instead of a JSON object")
        }
        return members
    }

    /// Returns the status, and the JSON object if the body is one.
    static func get(_ url: String, authorization: String?) async throws -> (status: Int, members: JSONObject?) {
        try await answer {
            try await DirectClient.getJSON(url, authorization: authorization, limit: mostBytes, timeout: timeout)
        }
    }

    /// Posts a form. Returns the status, and the JSON object if the body is one.
    static func post(
        _ fields: [(name: String, value: String)], to url: String, authorization: String?
    ) async throws -> (status: Int, members: JSONObject?) {
        let body = Array(form(fields).utf8)
        return try await answer {
            try await DirectClient.post(
                body, as: "application/x-www-form-urlencoded", to: url, authorization: authorization, limit: mostBytes,
                timeout: timeout)
        }
    }

    /// Returns fields as in a form or a query.
    static func form(_ fields: [(name: String, value: String)]) -> String {
        fields.map { "\($0.name)=\(PercentCoding.encodeQueryValue($0.value))" }.joined(separator: "&")
    }

    private static func answer(
        _ ask: @Sendable () async throws -> DirectAnswer
    ) async throws -> (status: Int, members: JSONObject?) {
        do {
            let answer = try await ask()
            return (answer.status, try? JSON.parse(answer.bytes, within: .untrusted).object)
        } catch let error as DirectFetchError {
            throw Failure.badProvider("\(error)")
        }
    }
}
