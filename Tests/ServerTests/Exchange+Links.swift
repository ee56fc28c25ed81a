import LindenKernel
import LindenTesting
import LinkRouting
import Testing

extension Exchange {
    /// Creates a link and returns its path.
    func createLink(_ key: String, _ fields: JSONObject = [:]) async throws -> String {
        let answer = try await post("/v1/url", .object(fields.merging(["branch_key": .string(key)])))
        try #require(answer.status == 200, "\(answer.body)")
        return try path(of: answer)
    }

    func path(of answer: Answer) throws -> String {
        let url = URLParts(try #require(answer.object["url"]?.string))
        return url.path + (url.query.map { "?" + $0 } ?? "")
    }

    /// Installs the app on the iPhone of ``UserAgents/iPhone``.
    func install(_ key: String, _ fields: JSONObject = [:], from address: String = "203.0.113.7") async throws -> Answer {
        let phone: JSONObject = ["branch_key": .string(key), "os": "iOS", "os_version": "17.5.1"]
        return try await post("/v1/install", .object(phone.merging(fields)), from: address)
    }
}

extension Exchange.Answer {
    /// The parameters in a session's answer.
    var data: JSONObject {
        get throws { try JSON.parse(#require(object["data"]?.string)).object ?? [:] }
    }

    /// The click id that the page passes to the app's URI.
    var linkClickID: String? {
        guard let start = body.firstRange(of: "link_click_id=")?.upperBound else { return nil }
        return String(body[start...].prefix(while: \.isNumber))
    }
}
