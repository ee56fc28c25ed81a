import BranchWire
import Hummingbird
import Linden
import LinkRouting

/// What happened, for whoever has a token of the app.
struct AnalyticsRoutes {
    let services: Services

    func counts(_ request: Request, _ context: LindenContext) async throws -> Response {
        try await counts(request) { try $0.counts(of: $1) }
    }

    func top(_ request: Request, _ context: LindenContext) async throws -> Response {
        try await counts(request) { try $0.top(of: $1) }
    }

    func funnel(_ request: Request, _ context: LindenContext) async throws -> Response {
        let (parameters, scope) = try await asked(request)
        let query = try parameters.funnel(of: scope)
        let rows = try await services.analytics.funnels(query).map { $0.members(query.dimension) }
        return .results(rows, try await remarks(on: [.sessions, .events], in: query.span))
    }

    func cohort(_ request: Request, _ context: LindenContext) async throws -> Response {
        let (parameters, scope) = try await asked(request)
        let query = try parameters.cohort(of: scope)
        let rows = try await services.analytics.cohorts(query).map(\.members)
        return .results(rows, try await remarks(on: [.sessions], in: query.span))
    }

    func lifetimeValue(_ request: Request, _ context: LindenContext) async throws -> Response {
        let (parameters, scope) = try await asked(request)
        let query = try parameters.lifetimeValue(of: scope)
        let rows = try await services.analytics.lifetimeValues(query).map { $0.members(query.dimension) }
        return .results(rows, try await remarks(on: [.sessions, .events], in: query.span))
    }

    private func counts(_ request: Request, _ read: (AnalyticsParameters, Scope) throws -> AnalyticsQuery) async throws -> Response
    {
        let (parameters, scope) = try await asked(request)
        let query = try read(parameters, scope)
        let answer = try await services.analytics.counts(query)
        var remarks = answer.remarks
        remarks["total_count"] = .integer(Int64(answer.totalRows))
        return .results(answer.rows.map { $0.members(query) }, remarks)
    }

    private func remarks(on logs: [ActivityLog], in span: AnalyticsSpan) async throws -> JSONObject {
        guard let since = try await services.analytics.rowsKept(of: logs, in: span) else { return [:] }
        return ["rows_kept_since": .string(since.iso8601)]
    }

    private func asked(_ request: Request) async throws -> (AnalyticsParameters, Scope) {
        // Who may not read it learns nothing of what there is.
        let token = try await services.tokens.authorize(request.accessToken, role: .analyst)
        let parameters = try QueryParameters(request.rawQuery ?? "")
        let scope = try await services.apps.context(try parameters.required("app")).scope
        guard token.app == nil || token.app == scope.app else { throw Failure(.forbidden, "The token is not one of this app.") }
        return (try parameters.analytics(), scope)
    }
}

/// The query of a call, in which nothing may stand that is not understood.
private struct QueryParameters {
    private static let known = [
        "app", "from", "to", "timezone", "topic", "by", "filter", "aggregation", "granularity", "ordered", "ordered_by",
        "zero_fill",
        "limit", "after", "event", "days",
    ]

    /// Those that may be given more than once.
    private static let repeatable: Set<String> = ["topic", "by", "filter"]

    private let items: [QueryItem]

    init(_ query: String) throws {
        items = URLParts.queryItems(query)
        if let unknown = items.first(where: { !Self.known.contains($0.name) }) {
            throw Failure.invalid("\(unknown.name) is no parameter; there are \(Self.known.joined(separator: ", ")).")
        }
        var names: Set<String> = []
        if let repeated = items.first(where: { !names.insert($0.name).inserted && !Self.repeatable.contains($0.name) }) {
            throw Failure.invalid("\(repeated.name) may be given once.")
        }
    }

    func required(_ name: String) throws -> String {
        guard let value = value(name) else { throw Failure.invalid("\(name) is missing.") }
        return value
    }

    func analytics() throws -> AnalyticsParameters {
        var parameters = AnalyticsParameters(from: try required("from"), to: try required("to"))
        parameters.timezone = value("timezone")
        parameters.topics = values("topic").isEmpty ? ["click"] : values("topic")
        parameters.by = values("by")
        parameters.filters = values("filter")
        parameters.aggregation = value("aggregation")
        parameters.granularity = value("granularity")
        parameters.order = value("ordered")
        parameters.orderedBy = value("ordered_by")
        parameters.fillsZeros = try truth("zero_fill")
        parameters.limit = try number("limit")
        parameters.offset = try number("after")
        parameters.event = value("event")
        parameters.days = try number("days")
        return parameters
    }

    private func values(_ name: String) -> [String] {
        items.filter { $0.name == name && !$0.value.isEmpty }.map(\.value)
    }

    private func value(_ name: String) -> String? { values(name).first }

    private func truth(_ name: String) throws -> Bool {
        switch value(name) {
        case "true", "1": true
        case nil, "false", "0": false
        default: throw Failure.invalid("\(name) must be true or false.")
        }
    }

    private func number(_ name: String) throws -> Int? {
        try value(name).map { text in
            guard let number = Int(text) else { throw Failure.invalid("\(name) must be a whole number.") }
            return number
        }
    }
}

extension Response {
    fileprivate static func results(_ rows: [JSONObject], _ remarks: JSONObject) -> Response {
        let results: JSONObject = ["results": .array(rows.map(JSON.object))]
        return .json(.object(results.merging(remarks)))
    }
}
