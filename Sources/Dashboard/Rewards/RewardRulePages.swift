import BranchWire
import Linden
import LindenAPI
import LindenKernel
import LindenLedger
import LindenServices

/// The rules by which users earn credits: listed, created, paused, resumed and removed.
extension Dashboard {
    private static let rulesShown = 100

    func rewardsPage(_ page: PageRequest) async throws -> DashboardAnswer {
        let (app, user) = (try page.app, try page.user)
        let (path, mayChange) = (PagePath.rewards(app.scope), Access.appAdministrators.admits(user.role))
        let (rules, next) = try await services.rewards.list(
            app.scope, after: Int64(page.query["cursor"]).map(RewardRule.ID.init(rawValue:)), limit: Self.rulesShown)
        var blocks: [Block] = []
        if let id = Int64(page.query["created"]).map(RewardRule.ID.init(rawValue:)),
            let rule = try? await services.rewards.rule(id, of: app.scope)
        {
            blocks.append(.success("The rule was created. It applies from now on."))
            if let warning = try await services.rewards.warning(about: rule) { blocks.append(.note(warning)) }
        }
        var buttons: [Button] = []
        if mayChange { buttons.append(Button(buttonLabel: "Create a rule", buttonHref: path + "/new", isMain: true)) }
        if Access.sessionReaders.admits(user.role) {
            buttons.append(Button(buttonLabel: "Held rewards", buttonHref: PagePath.heldRewards(app.scope)))
        }
        blocks.append(.buttons(buttons))
        blocks.append(
            rules.isEmpty
                ? Block(
                    empty: EmptyState(
                        emptyTitle: "No reward rule yet",
                        emptyText:
                            "A rule grants credits for an install, an open or an event of your app, to the user who acted or to "
                            + "the one whose link led there.",
                        emptyHref: mayChange ? path + "/new" : nil, emptyAction: mayChange ? "Create the first rule" : nil))
                : Block(table: .rules(rules, in: path, mayChange: mayChange)))
        if let next { blocks.append(Block(pager: Pager(nextHref: PagePath.query(path, [("cursor", String(next.rawValue))])))) }
        let key = app.key.branchKey
        blocks.append(
            Block(
                equivalents: Equivalents(
                    command: """
                        linden rewards list --app \(key)
                        linden rewards add --app \(key) --event EVENT --reward RECIPIENT --amount NUMBER
                        linden rewards pause ID --app \(key)
                        linden rewards remove ID --app \(key)
                        """,
                    call: "GET /api/v1/rewards?app=\(key)\nPOST /api/v1/rewards?app=\(key)\nPATCH /api/v1/rewards/ID?app=\(key)"
                        + "\nDELETE /api/v1/rewards/ID?app=\(key)")))
        return PageView("Reward rules", lead: "By which users earn credits.", blocks).of(app, user, section: path).answer()
    }

    func newRewardRulePage(_ page: PageRequest) throws -> DashboardAnswer {
        let app = try page.app
        let (path, key) = (PagePath.rewards(app.scope), app.key.branchKey)
        return try formPage(
            page, "Create a reward rule", .rewardRule(path, FormFields("event=install")), section: path,
            following: [
                Block(
                    equivalents: Equivalents(
                        command: "linden rewards add --app \(key) --event EVENT --reward RECIPIENT --amount NUMBER",
                        call: "POST /api/v1/rewards?app=\(key)"))
            ])
    }

    func createRewardRule(_ page: PageRequest) async throws -> DashboardAnswer {
        let (app, typed) = (try page.app, page.form)
        let path = PagePath.rewards(app.scope)
        do {
            let call = try CreditCall(idempotencyKey: try page.retryKey)
            let rule = try await services.rewards.add(try typed.rewardRule(), to: app.scope, call)
            return .seeOther(PagePath.query(path, [("created", "\(rule.id)")]))
        } catch let failure as Failure where failure.isAboutInput {
            return try formPage(page, "Create a reward rule", .rewardRule(path, typed), failure, section: path)
        }
    }

    func pauseRewardRule(_ page: PageRequest) async throws -> DashboardAnswer { try await set(page, isPaused: true) }
    func resumeRewardRule(_ page: PageRequest) async throws -> DashboardAnswer { try await set(page, isPaused: false) }

    private func set(_ page: PageRequest, isPaused: Bool) async throws -> DashboardAnswer {
        let scope = try page.app.scope
        try await services.rewards.set(try await rule(page).id, of: scope, isPaused: isPaused)
        return .seeOther(PagePath.rewards(scope))
    }

    func removeRewardRulePage(_ page: PageRequest) async throws -> DashboardAnswer {
        let rule = try await rule(page)
        return try formPage(
            page, "Remove the rule", Confirmation.removal(of: rule).form(), section: PagePath.rewards(rule.scope),
            after: [Block(facts: .rule(rule))])
    }

    func removeRewardRule(_ page: PageRequest) async throws -> DashboardAnswer {
        let rule = try await rule(page)
        let section = PagePath.rewards(rule.scope)
        return try await confirmed(page, .removal(of: rule), title: "Remove the rule", section: section) {
            try await services.rewards.remove(rule.id, from: rule.scope)
            return .seeOther(section)
        }
    }

    /// Returns the rule that the path names. Fails with `notFound`.
    private func rule(_ page: PageRequest) async throws -> RewardRule {
        guard let id = Int64(page.parameter("rule")) else { throw Failure.notFound("There is no such rule.") }
        return try await services.rewards.rule(RewardRule.ID(rawValue: id), of: try page.app.scope)
    }
}

extension FormFields {
    /// The rule that the fields of ``Form/rewardRule(_:_:)`` describe. Fails with `invalid`.
    fileprivate func rewardRule() throws -> NewRewardRule {
        let fields = RequestFields(members(["amount", "cap_per_day", "cap_per_user", "days_valid"]))
        guard let event = text("event") else {
            throw Failure.invalid("event is missing: install, open, or the name of an event.")
        }
        guard let recipient = RewardRule.Recipient(rawValue: self["reward"]) else {
            throw Failure.invalid("reward is missing, who is rewarded.")
        }
        var rule = NewRewardRule(event: event, recipient: recipient, amount: try CreditAmount(fields.integer("amount")))
        rule.bucket = try Bucket(text("bucket"))
        for pair in self["filter"].split(separator: ",").map(\.trimmed) where !pair.isEmpty {
            guard let equals = pair.firstIndex(of: "="), equals != pair.startIndex else {
                throw Failure.invalid("filter must be key=value, such as plan=gold, separated by commas.")
            }
            rule.filter[pair[..<equals].trimmed] = .string(pair[pair.index(after: equals)...].trimmed)
        }
        rule.isFirstOnly = self["first_only"] == "true"
        rule.caps = RewardCaps(perDay: try fields.integer("cap_per_day"), perUser: try fields.integer("cap_per_user"))
        rule.daysValid = try fields.integer("days_valid")
        return rule
    }
}
