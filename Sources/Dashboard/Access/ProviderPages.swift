import LindenKernel
import LindenServices

/// Signing in by an OpenID provider: the browser goes to the provider, and comes back with a code.
extension Dashboard {
    /// The address to which the provider sends browsers back. It has to be registered there.
    private var providerReturnURL: String { invitationBase + PagePath.providerReturn }

    func beginProviderSignIn(_ page: PageRequest) async throws -> DashboardAnswer {
        let to = PagePath.returning(to: page.query["to"]) ?? ""
        do {
            let (url, attempt) = try await services.dashboardUsers.beginProviderSignIn(to: to, returnURL: providerReturnURL)
            var answer = DashboardAnswer.seeOther(url)
            answer.cookies = [AttemptCookie.setting(attempt, isSecure: page.request.isSecure)]
            return answer
        } catch let failure as Failure where failure.code == .unavailable {
            return failedSignIn(failure, to: to)
        }
    }

    /// Ends the sign-in that this browser has begun. The attempt is consumed, whatever becomes of it.
    func endProviderSignIn(_ page: PageRequest) async throws -> DashboardAnswer {
        let (request, query) = (page.request, page.query)
        let attempt = request.cookie(AttemptCookie.name(isSecure: request.isSecure)).flatMap(ProviderAttempt.init(text:))
        let to = attempt.flatMap { PagePath.returning(to: $0.page) } ?? ""
        var answer: DashboardAnswer
        do {
            guard let attempt else { throw Failure.noAttempt }
            let provided = ProviderAnswer(
                state: query.exact("state"), code: query.exact("code"), error: query.text("error"))
            let (_, secret) = try await services.dashboardUsers.endProviderSignIn(
                provided, of: attempt, returnURL: providerReturnURL, from: request.address)
            answer = try await signedIn(page, secret, to: to)
        } catch let failure as Failure where failure.code != .notFound {
            answer = failedSignIn(failure, to: to)
        }
        answer.cookies.append(AttemptCookie.removing(isSecure: request.isSecure))
        return answer
    }
}

/// The cookie in which a browser keeps a sign-in by the provider. It has the attributes of
/// the session's, and is sent when the provider, another site, leads the browser back.
private enum AttemptCookie {
    static func name(isSecure: Bool) -> String { SessionCookie.name(isSecure: isSecure) + "-sign-in" }

    static func setting(_ attempt: ProviderAttempt, isSecure: Bool) -> String {
        text(attempt.text, isSecure: isSecure, seconds: ProviderAttempt.lifetime.components.seconds)
    }

    static func removing(isSecure: Bool) -> String { text("", isSecure: isSecure, seconds: 0) }

    private static func text(_ value: String, isSecure: Bool, seconds: Int64) -> String {
        "\(name(isSecure: isSecure))=\(value); Max-Age=\(seconds); Path=/; HttpOnly; SameSite=Lax" + (isSecure ? "; Secure" : "")
    }
}

extension Failure {
    fileprivate static let noAttempt = Failure(
        .unauthorized, "This sign-in was not begun in this browser, or more than 10 minutes ago. Please begin again.")
}
