import BranchWire
import Hummingbird
import Linden
import LindenAPI
import LindenKernel
import LindenServices

/// The exchange rates of the installation, which all apps share, in the management API, authorized by an access token.
struct RateManagementRoutes {
    let rates: RateService
    let tokens: TokenService
    let options: ServerOptions

    /// Today's rates.
    func list(_ request: Request, _ context: LindenContext) async throws -> Response {
        let token = try await tokens.authorize(request.accessToken, to: .readTotals)
        try QueryParameters(request.rawQuery).check([], of: "the list of rates")
        if let app = token.app { try context.admission?.admit(Scope(app: app, mode: .live), token: token.id) }
        return .json(["rates": .array(try await rates.list().map { .object($0.view) })])
    }

    /// Stores the rates of a day, all or none. They are those of all apps, so the token must be one of all apps.
    func load(_ request: Request, _ context: LindenContext) async throws -> Response {
        try await tokens.authorizeForAllApps(request.accessToken, to: "change the rates")
        try QueryParameters(request.rawQuery).check([], of: "this call")
        let body = try await request.fields(upTo: options.maximumSmallBodyBytes)
        try body.check(["base", "date", "rates", "replace"], of: "the rates")
        let baseCode = try body.strictText("base") ?? "USD"
        guard let base = Currency(baseCode) else {
            throw Failure.invalid("base must be a code of ISO 4217 such as EUR, not \"\(baseCode)\".")
        }
        let day = try body.strictText("date").map { try Day(named: $0, option: "date").number } ?? rates.today
        guard let given = try body.object("rates"), !given.isEmpty else {
            throw Failure.invalid("rates must have the rate of each currency, such as {\"EUR\": 0.92}.")
        }
        let read = try given.compactMap { code, rate in
            try ExchangeRate.read(code, rate.scalarText ?? rate.kind, base: base, day: day)
        }
        try await rates.load(read, base: base, replacingAll: try body.strictFlag("replace") ?? false)
        return .json([
            "rates": .integer(Int64(read.count)), "base": .string(base.code), "date": .string(Day(number: day).text),
        ])
    }
}
