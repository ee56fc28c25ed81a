import Linden
import LinkRouting

/// A page or an action of the dashboard: where it is, who may use it, and the function that answers.
package struct DashboardRoute: Sendable {
    typealias Handle = @Sendable (_ dashboard: Dashboard, _ request: PageRequest) async throws -> DashboardAnswer

    package let method: DashboardRequest.Method
    /// The path, with parameters in braces.
    package let pattern: String
    package let access: Access
    let handle: Handle
    private let segments: [Substring]

    private init(_ method: DashboardRequest.Method, _ path: String, _ access: Access, _ handle: @escaping Handle) {
        self.method = method
        pattern = PagePath.root + path
        segments = pattern.split(separator: "/")
        self.access = access
        self.handle = handle
    }

    /// Whether the action changes the app's settings or domains, see ``LimitedCall/changeApp``.
    var changesApp: Bool { method == .post && (segments.dropFirst(3).first.map { ["settings", "domains"].contains($0) } ?? false) }

    /// The table of all pages and actions. A path without parameters comes before one that would take it, too.
    package static let all: [DashboardRoute] = [
        DashboardRoute(.get, "/assets/{file}", .anyone) { try $0.asset($1) },
        DashboardRoute(.get, "/sign-in", .anyone) { try await $0.signInPage($1) },
        DashboardRoute(.post, "/sign-in", .anyone) { try await $0.signIn($1) },
        DashboardRoute(.post, "/sign-in/code", .anyone) { try await $0.signInWithCode($1) },
        DashboardRoute(.get, "/sign-in/provider", .anyone) { try await $0.beginProviderSignIn($1) },
        DashboardRoute(.get, "/sign-in/provider/return", .anyone) { try await $0.endProviderSignIn($1) },
        DashboardRoute(.get, "/set-up/{secret}", .anyone) { try await $0.setUpPage($1) },
        DashboardRoute(.post, "/set-up/{secret}", .anyone) { try await $0.setUp($1) },
        DashboardRoute(.get, "/shared/{secret}", .anyone) { try await $0.sharedQuestionPage($1) },
        DashboardRoute(.post, "/sign-out", .signedIn) { try await $0.signOut($1) },
        DashboardRoute(.post, "/sign-out-everywhere", .signedIn) { try await $0.signOutEverywhere($1) },

        DashboardRoute(.get, "", .signedIn) { try await $0.appsPage($1) },
        DashboardRoute(.get, "/account", .signedIn) { try await $0.accountPage($1) },
        DashboardRoute(.get, "/account/second-factor", .signedIn) { try $0.secondFactorPage($1) },
        DashboardRoute(.post, "/account/second-factor", .signedIn) { try await $0.setUpSecondFactor($1) },
        DashboardRoute(.post, "/account/second-factor/remove", .signedIn) { try await $0.removeSecondFactor($1) },
        DashboardRoute(.get, "/users", .administrators) { try await $0.usersPage($1) },
        DashboardRoute(.get, "/users/new", .administrators) { try await $0.newUserPage($1) },
        DashboardRoute(.post, "/users", .administrators) { try await $0.inviteUser($1) },
        DashboardRoute(.get, "/users/{user}", .administrators) { try await $0.userPage($1) },
        DashboardRoute(.post, "/users/{user}/reset", .administrators) { try await $0.resetUser($1) },
        DashboardRoute(.post, "/users/{user}/disable", .administrators) { try await $0.disableUser($1) },
        DashboardRoute(.post, "/users/{user}/enable", .administrators) { try await $0.enableUser($1) },

        DashboardRoute(.get, "/audit", .administrators) { try await $0.wholeAuditPage($1) },
        DashboardRoute(.get, "/system", .administrators) { try await $0.systemPage($1) },
        DashboardRoute(.get, "/new-app", .administrators) { try $0.newAppPage($1) },
        DashboardRoute(.post, "/new-app", .administrators) { try await $0.createApp($1) },

        DashboardRoute(.get, "/apps/{app}", .reportReaders) { try await $0.overviewPage($1) },

        DashboardRoute(.get, "/apps/{app}/live", .sessionReaders) { try await $0.livePage($1) },
        DashboardRoute(.get, "/apps/{app}/live/stream", .sessionReaders) { try $0.liveStream($1) },

        DashboardRoute(.get, "/apps/{app}/analytics", .reportReaders) { try await $0.analyticsPage($1) },
        DashboardRoute(.get, "/apps/{app}/analytics.csv", .reportReaders) { try await $0.analyticsFile($1) },
        DashboardRoute(.get, "/apps/{app}/shares", .questionSharers) { try await $0.sharedQuestionsPage($1) },
        DashboardRoute(.get, "/apps/{app}/shares/new", .questionSharers) { try $0.newSharedQuestionPage($1) },
        DashboardRoute(.post, "/apps/{app}/shares", .questionSharers) { try await $0.shareQuestion($1) },
        DashboardRoute(.post, "/apps/{app}/shares/{share}/revoke", .questionSharers) { try await $0.revokeSharedQuestion($1) },

        DashboardRoute(.get, "/apps/{app}/events", .reportReaders) { try await $0.eventsPage($1) },
        DashboardRoute(.get, "/apps/{app}/content", .reportReaders) { try await $0.contentPage($1) },
        DashboardRoute(.get, "/apps/{app}/content/object", .reportReaders) { try await $0.pieceOfContentPage($1) },

        DashboardRoute(.get, "/apps/{app}/set-up", .setUpReaders) { try await $0.setUpOfAppPage($1) },

        DashboardRoute(.get, "/apps/{app}/keys", .administrators) { try await $0.keysPage($1) },
        DashboardRoute(.post, "/apps/{app}/keys/rotate-key", .administrators) { try await $0.rotateKey($1) },
        DashboardRoute(.post, "/apps/{app}/keys/rotate-secret", .administrators) { try await $0.rotateSecret($1) },
        DashboardRoute(.get, "/apps/{app}/keys/end-secrets", .administrators) { try $0.endSecretsPage($1) },
        DashboardRoute(.post, "/apps/{app}/keys/end-secrets", .administrators) { try await $0.endSecrets($1) },
        DashboardRoute(.get, "/apps/{app}/keys/{key}/end", .administrators) { try await $0.endKeyPage($1) },
        DashboardRoute(.post, "/apps/{app}/keys/{key}/end", .administrators) { try await $0.endKey($1) },
        DashboardRoute(.get, "/apps/{app}/audit", .appAdministrators) { try await $0.auditPage($1) },
        DashboardRoute(.get, "/apps/{app}/settings", .setUpReaders) { try await $0.settingsPage($1) },
        DashboardRoute(.post, "/apps/{app}/settings", .appAdministrators) { try await $0.changeSettings($1) },
        DashboardRoute(.get, "/apps/{app}/domains", .setUpReaders) { try await $0.domainsPage($1) },
        DashboardRoute(.post, "/apps/{app}/domains", .appAdministrators) { try await $0.addDomain($1) },
        DashboardRoute(.get, "/apps/{app}/domains/{domain}", .setUpReaders) { try await $0.domainPage($1) },
        DashboardRoute(.post, "/apps/{app}/domains/{domain}", .appAdministrators) { try await $0.changeDomain($1) },
        DashboardRoute(.post, "/apps/{app}/domains/{domain}/check", .appAdministrators) { try await $0.checkDomain($1) },
        DashboardRoute(.get, "/apps/{app}/domains/{domain}/remove", .appAdministrators) { try await $0.removeDomainPage($1) },
        DashboardRoute(.post, "/apps/{app}/domains/{domain}/remove", .appAdministrators) { try await $0.removeDomain($1) },
        DashboardRoute(.get, "/apps/{app}/tokens", .appAdministrators) { try await $0.tokensPage($1) },
        DashboardRoute(.get, "/apps/{app}/tokens/new", .appAdministrators) { try $0.newTokenPage($1) },
        DashboardRoute(.post, "/apps/{app}/tokens", .appAdministrators) { try await $0.createToken($1) },
        DashboardRoute(.get, "/apps/{app}/tokens/{token}/revoke", .appAdministrators) { try await $0.revokeTokenPage($1) },
        DashboardRoute(.post, "/apps/{app}/tokens/{token}/revoke", .appAdministrators) { try await $0.revokeToken($1) },

        DashboardRoute(.get, "/apps/{app}/links", .everyRole) { try await $0.linksPage($1) },
        DashboardRoute(.get, "/apps/{app}/links.csv", .everyRole) { try await $0.linksFile($1) },
        DashboardRoute(.get, "/apps/{app}/links/import", .linkEditors) { try $0.importLinksPage($1) },
        DashboardRoute(.post, "/apps/{app}/links/import", .linkEditors) { try await $0.importLinks($1) },
        DashboardRoute(.post, "/apps/{app}/links/bulk", .linkEditors) { try await $0.changeLinks($1) },
        DashboardRoute(.post, "/apps/{app}/links/bulk-delete", .linkEditors) { try await $0.deleteLinks($1) },
        DashboardRoute(.get, "/apps/{app}/links/new", .linkEditors) { try await $0.newLinkPage($1) },
        DashboardRoute(.get, "/apps/{app}/links/templates", .linkEditors) { try await $0.templatesPage($1) },
        DashboardRoute(.post, "/apps/{app}/links/templates", .linkEditors) { try await $0.saveTemplate($1) },
        DashboardRoute(.get, "/apps/{app}/links/templates/delete", .linkEditors) { try await $0.deleteTemplatePage($1) },
        DashboardRoute(.post, "/apps/{app}/links/templates/delete", .linkEditors) { try await $0.deleteTemplate($1) },
        DashboardRoute(.post, "/apps/{app}/links/preview", .linkEditors) { try await $0.previewNewLink($1) },
        DashboardRoute(.post, "/apps/{app}/links", .linkEditors) { try await $0.createLink($1) },
        DashboardRoute(.get, "/apps/{app}/links/{link}", .everyRole) { try await $0.linkPage($1) },
        DashboardRoute(.get, "/apps/{app}/links/{link}/code", .everyRole) { try await $0.linkCodePage($1) },
        DashboardRoute(.get, "/apps/{app}/links/{link}/code.svg", .everyRole) { try await $0.linkCode($1, as: .svg) },
        DashboardRoute(.get, "/apps/{app}/links/{link}/code.png", .everyRole) { try await $0.linkCode($1, as: .png) },
        DashboardRoute(.get, "/apps/{app}/links/{link}/code.jpeg", .everyRole) { try await $0.linkCode($1, as: .jpeg) },
        DashboardRoute(.get, "/apps/{app}/links/{link}/edit", .linkEditors) { try await $0.editLinkPage($1) },
        DashboardRoute(.post, "/apps/{app}/links/{link}", .linkEditors) { try await $0.changeLink($1) },
        DashboardRoute(.post, "/apps/{app}/links/{link}/preview", .linkEditors) { try await $0.previewLinkChange($1) },
        DashboardRoute(.post, "/apps/{app}/links/{link}/archive", .linkEditors) { try await $0.archiveLink($1) },
        DashboardRoute(.get, "/apps/{app}/links/{link}/delete", .linkEditors) { try await $0.deleteLinkPage($1) },
        DashboardRoute(.post, "/apps/{app}/links/{link}/delete", .linkEditors) { try await $0.deleteLink($1) },

        DashboardRoute(.get, "/apps/{app}/sessions", .sessionReaders) { try await $0.sessionsPage($1) },
        DashboardRoute(.get, "/apps/{app}/sessions/{session}", .sessionReaders) { try await $0.sessionPage($1) },
        DashboardRoute(.get, "/apps/{app}/replay", .sessionReaders) { try await $0.replayPage($1) },
        DashboardRoute(.get, "/apps/{app}/identities", .sessionReaders) { try await $0.identitiesPage($1) },
        DashboardRoute(.post, "/apps/{app}/identities/export", .appAdministrators) { try await $0.requestPersonalData($1) },
        DashboardRoute(.get, "/apps/{app}/identities/erase", .appAdministrators) { try await $0.erasurePage($1) },
        DashboardRoute(.post, "/apps/{app}/identities/erase", .appAdministrators) { try await $0.requestErasure($1) },
        DashboardRoute(.get, "/apps/{app}/privacy/{request}", .appAdministrators) { try await $0.privacyRequestPage($1) },
        DashboardRoute(.get, "/apps/{app}/privacy/{request}/download", .appAdministrators) {
            try await $0.downloadPersonalData($1)
        },

        DashboardRoute(.get, "/apps/{app}/exports", .logReaders) { try await $0.exportsPage($1) },
        DashboardRoute(.post, "/apps/{app}/exports", .logReaders) { try await $0.orderExport($1) },
        DashboardRoute(.get, "/apps/{app}/exports/{job}/download", .logReaders) { try await $0.downloadExport($1) },

        DashboardRoute(.get, "/apps/{app}/credits", .sessionReaders) { try await $0.creditsPage($1) },
        DashboardRoute(.post, "/apps/{app}/credits/grants", .appAdministrators) { try await $0.grantCredits($1) },
        DashboardRoute(.post, "/apps/{app}/credits/redemptions", .appAdministrators) { try await $0.redeemCredits($1) },
        DashboardRoute(.get, "/apps/{app}/credits/reversals", .appAdministrators) { try await $0.creditReversalPage($1) },
        DashboardRoute(.post, "/apps/{app}/credits/reversals", .appAdministrators) { try await $0.reverseCredits($1) },
        DashboardRoute(.get, "/apps/{app}/rewards", .everyRole) { try await $0.rewardsPage($1) },
        DashboardRoute(.get, "/apps/{app}/rewards/new", .appAdministrators) { try $0.newRewardRulePage($1) },
        DashboardRoute(.post, "/apps/{app}/rewards", .appAdministrators) { try await $0.createRewardRule($1) },
        DashboardRoute(.post, "/apps/{app}/rewards/{rule}/pause", .appAdministrators) { try await $0.pauseRewardRule($1) },
        DashboardRoute(.post, "/apps/{app}/rewards/{rule}/resume", .appAdministrators) { try await $0.resumeRewardRule($1) },
        DashboardRoute(.get, "/apps/{app}/rewards/{rule}/remove", .appAdministrators) { try await $0.removeRewardRulePage($1) },
        DashboardRoute(.post, "/apps/{app}/rewards/{rule}/remove", .appAdministrators) { try await $0.removeRewardRule($1) },
        DashboardRoute(.get, "/apps/{app}/held-rewards", .sessionReaders) { try await $0.heldRewardsPage($1) },
        DashboardRoute(.get, "/apps/{app}/held-rewards/release-all", .appAdministrators) { try await $0.releaseAllPage($1) },
        DashboardRoute(.post, "/apps/{app}/held-rewards/release-all", .appAdministrators) { try await $0.releaseAll($1) },
        DashboardRoute(.get, "/apps/{app}/held-rewards/refuse-all", .appAdministrators) { try await $0.refuseAllPage($1) },
        DashboardRoute(.post, "/apps/{app}/held-rewards/refuse-all", .appAdministrators) { try await $0.refuseAll($1) },
        DashboardRoute(.post, "/apps/{app}/held-rewards/{held}/release", .appAdministrators) {
            try await $0.releaseHeldReward($1)
        },
        DashboardRoute(.get, "/apps/{app}/held-rewards/{held}/refuse", .appAdministrators) {
            try await $0.refuseHeldRewardPage($1)
        },
        DashboardRoute(.post, "/apps/{app}/held-rewards/{held}/refuse", .appAdministrators) {
            try await $0.refuseHeldReward($1)
        },
    ]

    /// Returns the first route of a method and path, with the values of its parameters; nil if there is none.
    static func find(_ method: DashboardRequest.Method, _ path: String) -> (DashboardRoute, [String: String])? {
        let segments = path.split(separator: "/")
        for route in all where route.method == method && route.segments.count == segments.count {
            if let parameters = route.parameters(in: segments) { return (route, parameters) }
        }
        return nil
    }

    private func parameters(in path: [Substring]) -> [String: String]? {
        var values: [String: String] = [:]
        for (pattern, segment) in zip(segments, path) {
            if pattern.first == "{" {
                values[String(pattern.dropFirst().dropLast())] = String(segment)
            } else if pattern != segment {
                return nil
            }
        }
        return values
    }
}
