import LindenTesting
import Testing

/// The access of each kind of caller to each route, from a table that must contain every route.
@Suite struct AuthorizationTests {
    @Test func everyRouteSaysWhoMayCallIt() async throws {
        try await Exchange.run { exchange in
            let answered = exchange.calls.map { "\($0.method) \($0.path)" }
            #expect(Set(answered).subtracting(RouteAccess.all.map(\.route)) == [])
            #expect(Set(RouteAccess.all.map(\.route)).subtracting(answered) == [])
        }
    }

    @Test(arguments: RouteAccess.all)
    func onlyThoseWhoMayAreAnswered(access: RouteAccess) async throws {
        try await Exchange.run { exchange in
            let orchard = try await AuthorizedApp(exchange)
            var hasActed = false
            for caller in Caller.allCases {
                let answer = try await access.answer(to: caller, orchard)
                if access.allowed.contains(caller) {
                    let isGone = access.actsOnce && hasActed && answer.status == 404
                    hasActed = true
                    #expect(
                        isGone || (200..<400).contains(answer.status),
                        "\(access.route) by \(caller): \(answer.status) \(answer.body)")
                    if !access.ownData.isEmpty { #expect(orchard.isNamed(in: answer), "\(access.route) by \(caller)") }
                } else if access.ownData.contains(caller) {
                    #expect(answer.status == 200, "\(access.route) by \(caller): \(answer.status) \(answer.body)")
                    #expect(orchard.otherIsNamed(in: answer), "\(access.route) by \(caller): \(answer.body)")
                    #expect(!orchard.isNamed(in: answer), "\(access.route) by \(caller): \(answer.body)")
                } else {
                    #expect(
                        [400, 401, 403, 404, 405].contains(answer.status),
                        "\(access.route) by \(caller): \(answer.status) \(answer.body)")
                }
            }
        }
    }
}

extension RouteAccess: CustomTestStringConvertible {
    var testDescription: String { route }
}
