import Linden
import LindenKernel
import LindenServices
import LinkRouting

/// The addresses of the dashboard's pages, each written once.
enum PagePath {
    static let root = "/dashboard"
    static let signIn = root + "/sign-in"
    static let providerSignIn = signIn + "/provider"
    static let providerReturn = providerSignIn + "/return"
    static let signInCode = signIn + "/code"
    static let account = root + "/account"
    static let secondFactor = account + "/second-factor"
    static let signOut = root + "/sign-out"
    static let signOutEverywhere = root + "/sign-out-everywhere"

    static let users = root + "/users"

    /// The form for a new app, and its target.
    static let newApp = root + "/new-app"

    static func user(_ id: DashboardUser.ID) -> String { "\(users)/\(id.rawValue)" }

    static func app(_ scope: Scope) -> String {
        "\(root)/apps/\(scope.app.rawValue)" + (scope.mode == .test ? testSuffix : "")
    }

    static func links(_ scope: Scope) -> String { app(scope) + "/links" }

    static func templates(_ scope: Scope) -> String { links(scope) + "/templates" }

    static func link(_ id: Link.ID, _ scope: Scope) -> String { "\(links(scope))/\(id.rawValue)" }

    static func sessions(_ scope: Scope) -> String { app(scope) + "/sessions" }

    /// The page that decides sessions again by other rules.
    static func replay(_ scope: Scope) -> String { app(scope) + "/replay" }

    static func events(_ scope: Scope) -> String { app(scope) + "/events" }

    static func content(_ scope: Scope) -> String { app(scope) + "/content" }

    static func identities(_ scope: Scope) -> String { app(scope) + "/identities" }

    /// The page about one user of the app, by its reference, id or token.
    static func identity(_ reference: String, _ scope: Scope) -> String {
        query(identities(scope), [("identity", reference)])
    }

    static func credits(_ scope: Scope) -> String { app(scope) + "/credits" }

    static func rewards(_ scope: Scope) -> String { app(scope) + "/rewards" }

    static func heldRewards(_ scope: Scope) -> String { app(scope) + "/held-rewards" }

    static func analytics(_ scope: Scope) -> String { app(scope) + "/analytics" }

    /// The questions that the app's side shares.
    static func shares(_ scope: Scope) -> String { app(scope) + "/shares" }

    static func live(_ scope: Scope) -> String { app(scope) + "/live" }

    static func exports(_ scope: Scope) -> String { app(scope) + "/exports" }

    static func privacy(_ scope: Scope) -> String { app(scope) + "/privacy" }

    static func domains(_ scope: Scope) -> String { app(scope) + "/domains" }

    static func settings(_ scope: Scope) -> String { app(scope) + "/settings" }

    static func tokens(_ scope: Scope) -> String { app(scope) + "/tokens" }

    static func keys(_ scope: Scope) -> String { app(scope) + "/keys" }

    static func audit(_ scope: Scope) -> String { app(scope) + "/audit" }

    /// The audit log of the whole installation.
    static let wholeAudit = root + "/audit"

    /// The page about the server.
    static let system = root + "/system"

    static func setUp(_ scope: Scope) -> String { app(scope) + "/set-up" }

    private static let testSuffix = ".test"

    /// Returns the app and mode that a path segment names: an app's id, for its test side with the suffix `.test`. Nil for anything else.
    static func scope(_ segment: String) -> Scope? {
        let isTest = segment.hasSuffix(testSuffix)
        guard let number = Int64(isTest ? String(segment.dropLast(testSuffix.count)) : segment), number > 0 else { return nil }
        return Scope(app: App.ID(rawValue: number), mode: isTest ? .test : .live)
    }

    /// The maximum length of an address to return to, in bytes.
    private static let longestReturn = 1024

    /// Returns an address to go to after signing in, if it is one of the dashboard's own pages; nil for any other text. A text such as
    /// `//example.com` or `/\example.com` would lead to another host, and one with `..` or `%2e%2e` out of the dashboard.
    static func returning(to text: String) -> String? {
        guard text == root || text.hasPrefix(root + "/") || text.hasPrefix(root + "?"), text.utf8.count <= longestReturn,
            text.utf8.allSatisfy(isPlain), !text.contains("//"), !text.contains(".."), !text.lowercased().contains("%2e")
        else { return nil }
        return text
    }

    private static func isPlain(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "0")...UInt8(ascii: "9"):
            true
        default: "/-_.~?&=%+:,!*()".utf8.contains(byte)
        }
    }

    /// Returns a path with a query, in which the pairs without a value are left out.
    static func query(_ path: String, _ items: [(name: String, value: String)]) -> String {
        let pairs = items.filter { !$0.value.isEmpty }.map { "\($0.name)=\(PercentCoding.encodeQueryValue($0.value))" }
        return pairs.isEmpty ? path : path + "?" + pairs.joined(separator: "&")
    }
}
