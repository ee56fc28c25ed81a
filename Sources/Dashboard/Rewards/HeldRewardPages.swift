import Linden
import LindenAPI
import LindenKernel
import LindenLedger
import LindenServices

/// The rewards that wait for a decision: released or refused, one by one or all that match.
extension Dashboard {
    private static let heldShown = 50
    private static let filterNames = ["rule", "address", "network", "since"]

    func heldRewardsPage(_ page: PageRequest) async throws -> DashboardAnswer {
        let (app, user, query) = (try page.app, try page.user, page.query)
        let (path, mayChange) = (PagePath.heldRewards(app.scope), Access.appAdministrators.admits(user.role))
        var blocks: [Block] = []
        var outcome = DashboardAnswer.Outcome.found
        if let decided = Self.decided(query) { blocks.append(.success(decided)) }
        let search = Form.heldFilter(path, query)
        do {
            let filter = try await filter(query)
            let held = try await services.heldRewards.list(app.scope, filter, limit: Self.heldShown)
            let count = try await services.heldRewards.count(app.scope, filter)
            blocks.append(Block(filter: search))
            blocks.append(
                held.isEmpty
                    ? Block(empty: .noHeldReward(isFiltered: !Self.chosen(query).isEmpty))
                    : Block(
                        table: .held(held, in: path, services.publicIDs, mayChange: mayChange)))
            if count > held.count { blocks.append(.paragraph("The oldest \(held.count) of \(Int64(count).grouped) are shown.")) }
            if mayChange, count > 0 {
                blocks.append(
                    .buttons([
                        Button(
                            buttonLabel: "Release all \(Int64(count).grouped)",
                            buttonHref: PagePath.query(path + "/release-all", Self.chosen(query))),
                        Button(
                            buttonLabel: "Refuse all \(Int64(count).grouped)",
                            buttonHref: PagePath.query(path + "/refuse-all", Self.chosen(query))),
                    ]))
            }
        } catch let failure as Failure where failure.code == .invalid {
            let said = search.saying(failure)
            if said == nil { blocks.append(.problem(failure.message)) }
            blocks.append(Block(filter: said ?? search))
            outcome = .failed(.invalid)
        }
        for day in try await services.heldRewards.dropped(of: app.scope) {
            blocks.append(
                .note(
                    "\(day.dropped.grouped) more rewards were not held on \(Day(number: day.day).text): "
                        + "\(HeldReward.mostPerDay.grouped) are held a day, 100 from one address and 300 from one network."))
        }
        blocks.append(Block(equivalents: .heldRewards(app.key.branchKey, Self.chosen(query))))
        return PageView("Held rewards", lead: "Rewards with fraud signals or above a limit, oldest first.", blocks)
            .of(app, user, section: PagePath.rewards(app.scope)).answer(outcome)
    }

    func releaseHeldReward(_ page: PageRequest) async throws -> DashboardAnswer {
        let scope = try page.app.scope
        _ = try await services.heldRewards.release(try Self.held(page), of: scope)
        return .seeOther(PagePath.heldRewards(scope) + "?released=1")
    }

    func refuseHeldRewardPage(_ page: PageRequest) async throws -> DashboardAnswer {
        let (scope, id) = (try page.app.scope, try Self.held(page))
        try await services.heldRewards.check(id, of: scope)
        return try formPage(
            page, "Refuse the reward", Confirmation.refusal(of: id, scope).form(), section: PagePath.rewards(scope))
    }

    func refuseHeldReward(_ page: PageRequest) async throws -> DashboardAnswer {
        let (scope, id) = (try page.app.scope, try Self.held(page))
        try await services.heldRewards.check(id, of: scope)
        let section = PagePath.rewards(scope)
        return try await confirmed(page, .refusal(of: id, scope), title: "Refuse the reward", section: section) {
            try await services.heldRewards.refuse(id, of: scope)
            return .seeOther(PagePath.heldRewards(scope) + "?refused=1")
        }
    }

    // MARK: All that match

    func releaseAllPage(_ page: PageRequest) async throws -> DashboardAnswer { try await decideAllPage(page, .release) }
    func refuseAllPage(_ page: PageRequest) async throws -> DashboardAnswer { try await decideAllPage(page, .refuse) }
    func releaseAll(_ page: PageRequest) async throws -> DashboardAnswer { try await decideAll(page, .release) }
    func refuseAll(_ page: PageRequest) async throws -> DashboardAnswer { try await decideAll(page, .refuse) }

    fileprivate enum Decision: String {
        case release, refuse

        var title: String { self == .release ? "Release held rewards" : "Refuse held rewards" }
    }

    private func decideAllPage(_ page: PageRequest, _ decision: Decision) async throws -> DashboardAnswer {
        let app = try page.app
        let count = try await services.heldRewards.count(app.scope, try await filter(page.query))
        return try formPage(
            page, decision.title, confirmation(of: decision, page.query, app).form(), section: PagePath.rewards(app.scope),
            after: [.paragraph("\(Int64(count).grouped) rewards match now.")])
    }

    private func decideAll(_ page: PageRequest, _ decision: Decision) async throws -> DashboardAnswer {
        let app = try page.app
        let confirmation = confirmation(of: decision, page.form, app)
        return try await confirmed(page, confirmation, title: decision.title, section: PagePath.rewards(app.scope)) {
            let filter = try await filter(page.form)
            let result =
                switch decision {
                case .release: try await services.heldRewards.releaseAll(app.scope, filter)
                case .refuse: try await services.heldRewards.refuseAll(app.scope, filter)
                }
            let name = decision == .release ? "released" : "refused"
            return .seeOther(
                PagePath.query(
                    PagePath.heldRewards(app.scope),
                    [(name, String(result.decided)), ("kept", result.kept == 0 ? "" : String(result.kept))]))
        }
    }

    private func confirmation(of decision: Decision, _ fields: FormFields, _ app: AppContext) -> Confirmation {
        let (path, chosen) = (PagePath.heldRewards(app.scope), Self.chosen(fields))
        let which =
            chosen.isEmpty
            ? "All held rewards" : "All held rewards with " + chosen.map { "\($0.name) \($0.value)" }.joined(separator: ", ")
        return Confirmation(
            action: "\(path)/\(decision.rawValue)-all", submit: decision == .release ? "Release" : "Refuse",
            cancel: PagePath.query(path, chosen), name: app.app.name, label: "the app's name",
            consequence: which + (decision == .release ? " are granted." : " are refused."),
            fields: chosen.map { .hidden($0.name, $0.value) })
    }

    // MARK: Parts

    private static func chosen(_ fields: FormFields) -> [(name: String, value: String)] {
        filterNames.compactMap { name in fields.text(name).map { (name: name, value: $0) } }
    }

    private static func decided(_ query: FormFields) -> String? {
        let kept = query.text("kept").flatMap { Int64($0) }.map {
            " \($0.grouped) stay held: the rule's cap is reached for the user, the user's account is full, or the user has "
                + "\(Bucket.mostOfUser) other buckets."
        }
        for name in ["released", "refused"] {
            if let count = Int64(query[name]) { return "Rewards \(name): \(count.grouped).\(kept ?? "")" }
        }
        return nil
    }

    private static func held(_ page: PageRequest) throws -> HeldReward.ID {
        guard let id = Int64(page.parameter("held")) else { throw Failure.notFound("There is no such reward.") }
        return HeldReward.ID(rawValue: id)
    }

    private func filter(_ fields: FormFields) async throws -> HeldRewardFilter {
        let rule = try fields.text("rule").map { text in
            guard let id = Int64(text) else { throw Failure.invalid("rule must be the id of a rule, not \"\(text)\".") }
            return RewardRule.ID(rawValue: id)
        }
        let now = services.clock.now()
        return try await services.heldRewards.filter(
            rule: rule, address: fields.text("address"), network: fields.text("network"),
            since: try fields.text("since").map { try DateExpression("since", $0, now: now).start })
    }
}
