import Hummingbird
import Linden
import LindenAPI
import LindenKernel
import LindenServices

/// The content of an app (Branch Universal Objects) in the management API, authorized by an access token.
struct ContentManagementRoutes {
    let authorizer: AppAuthorizer
    let objects: ObjectService
    let clock: WallClock

    /// The orders of the list: by time, or by a measure.
    private static let newest = "newest"
    private static let orders = [newest] + ObjectMeasure.allCases.map(\.rawValue)

    /// Lists the newest content page by page, or that with the highest values of a measure.
    func list(_ request: Request, _ context: LindenContext) async throws -> Response {
        let (scope, query, _) = try await authorizer.authorize(
            request, context, to: .readTotals, parameters: ["app", "sort", "from", "to", "cursor", "limit"],
            of: "the list of content")
        let limit = try query.number("limit", in: 1...1000) ?? 50
        let sort = query.value("sort") ?? Self.newest
        guard Self.orders.contains(sort) else {
            throw Failure.invalid("sort must be one of \(Self.orders.joined(separator: ", ")), not \"\(sort)\".")
        }
        let cursor = try query.cursor().map(UniversalObject.ID.init(rawValue:))
        guard let measure = ObjectMeasure(rawValue: sort) else {
            guard query.value("from") == nil, query.value("to") == nil else {
                throw Failure.invalid("from and to go with sort by a measure: the newest content has its totals of all time.")
            }
            let page = try await objects.page(scope, before: cursor, limit: limit)
            return .json(Self.view(page.figures, next: page.next))
        }
        guard cursor == nil else {
            throw Failure.invalid("cursor goes with sort=newest. With a measure, limit says how many are listed.")
        }
        return .json(
            Self.view(try await objects.top(scope, by: measure, on: try days(query), limit: limit), next: nil))
    }

    /// Shows the piece of content that the parameter `identifier` names, which may be a URL.
    func read(_ request: Request, _ context: LindenContext) async throws -> Response {
        let (scope, query, _) = try await authorizer.authorize(
            request, context, to: .readTotals, parameters: ["app", "identifier", "from", "to"], of: "a piece of content")
        guard let identifier = query.value("identifier") else {
            throw Failure.invalid("identifier is missing: a canonical identifier or, for content without one, its URL.")
        }
        let figures = try await objects.show(identifier, in: scope, on: try days(query))
        return .json(.object(figures.object.detailedView(figures.statistics)))
    }

    private func days(_ query: QueryParameters) throws -> ClosedRange<Int64> {
        try ObjectService.days(from: query.value("from"), to: query.value("to"), now: clock.now())
    }

    private static func view(_ figures: [ObjectService.Figures], next: UniversalObject.ID?) -> JSON {
        [
            "content": .array(figures.map { .object($0.object.view($0.statistics)) }),
            "next_cursor": JSON(next.map { String($0.rawValue) }),
        ]
    }
}
