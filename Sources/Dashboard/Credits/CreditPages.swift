import BranchWire
import Linden
import LindenAPI
import LindenKernel
import LindenLedger
import LindenServices

/// The credits of one user of the app: balances, history, and changes by an administrator.
extension Dashboard {
    func creditsPage(_ page: PageRequest) async throws -> DashboardAnswer {
        let (app, user, query) = (try page.app, try page.user, page.query)
        let path = PagePath.credits(app.scope)
        let search = Form(
            path, method: "get", submit: "Look up",
            [.text("identity", "The user's id in your app, or an identity_id", query["identity"], type: "search")])
        var view = PageView("Credits", lead: "The credits of one user of the app.", [Block(filter: search)])
        var outcome = DashboardAnswer.Outcome.found
        if let reference = query.text("identity") {
            do {
                let identity = try await services.people.identity(reference, in: app.scope)
                view.blocks += .credits(try await account(of: reference, identity, page), of: app, for: user.role)
            } catch let failure as Failure where failure.code == .notFound {
                view.blocks += [.problem(failure.message)]
                if Access.appAdministrators.admits(user.role) {
                    view.blocks += [
                        .heading("Grant credits"),
                        .paragraph("A grant to an id that your app has not reported yet creates the user."),
                        Block(form: CreditForm.grant(path, identity: reference)),
                    ]
                }
                outcome = .failed(.notFound)
            }
        } else {
            view.blocks.append(.paragraph("Users earn credits by reward rules, and by grants of your server."))
            view.blocks.append(.buttons([Button(buttonLabel: "Reward rules", buttonHref: PagePath.rewards(app.scope))]))
            view.blocks.append(Block(equivalents: .credits(of: "ID", app)))
        }
        return view.of(app, user, section: path).answer(outcome)
    }

    private func account(of reference: String, _ identity: Identity, _ page: PageRequest) async throws -> CreditAccount {
        let app = try page.app
        let account = AccountReference.reference(reference, id: services.publicIDs.id(named: reference))
        let before = Int64(page.query["cursor"]).map { CreditTransaction.ID(rawValue: $0) }
        return CreditAccount(
            reference: reference, name: identity.developerIdentity,
            balances: try await services.credits.balances(of: account, in: app.scope),
            records: try await services.credits.history(
                CreditHistoryQuery(after: before, length: Int64(CreditAccount.recordsPerPage)), of: account, in: app.scope),
            isFirstPage: before == nil, saved: page.query["saved"])
    }

    // MARK: Changes

    func grantCredits(_ page: PageRequest) async throws -> DashboardAnswer {
        let form = page.form
        return try await change(page, "Grant credits", CreditForm.grant, saved: "granted") { account, call, scope in
            let fields = RequestFields(form.members(["amount", "bucket", "expires_at"]))
            let grant = CreditGrant(
                holder: account, amount: try CreditAmount(fields.integer("amount")), bucket: try Bucket(form.text("bucket")),
                expiresAt: try fields.time("expires_at").value)
            _ = try await services.credits.grant(grant, RequestedCause(.operator), call, in: scope)
        }
    }

    func redeemCredits(_ page: PageRequest) async throws -> DashboardAnswer {
        let form = page.form
        return try await change(page, "Redeem credits", CreditForm.redemption, saved: "redeemed") { account, call, scope in
            let amount = try CreditAmount(RequestFields(form.members(["amount"])).integer("amount"))
            let redemption = CreditWithdrawal(holder: account, amount: amount, bucket: try Bucket(form.text("bucket")))
            _ = try await services.credits.redeem(redemption, RequestedCause(.operator), call, in: scope)
        }
    }

    private func change(
        _ page: PageRequest, _ title: String, _ form: (_ path: String, _ identity: String, _ typed: FormFields) -> Form,
        saved: String,
        _ body: (AccountReference, CreditCall, Scope) async throws -> Void
    ) async throws -> DashboardAnswer {
        let (app, typed) = (try page.app, page.form)
        let (path, identity) = (PagePath.credits(app.scope), typed["identity"])
        do {
            guard !identity.isEmpty else { throw Failure.invalid("identity is missing: your own id of the user.") }
            let account = AccountReference.reference(identity, id: services.publicIDs.id(named: identity))
            try await body(account, try CreditCall(idempotencyKey: try page.retryKey), app.scope)
            return .seeOther(PagePath.query(path, [("identity", identity), ("saved", saved)]))
        } catch let failure as Failure where failure.isAboutInput {
            return try formPage(page, title, lead: "Of \(identity).", form(path, identity, typed), failure, section: path)
        }
    }

    // MARK: Reversing

    func creditReversalPage(_ page: PageRequest) async throws -> DashboardAnswer {
        let (app, identity) = (try page.app, page.query["identity"])
        let path = PagePath.credits(app.scope)
        let record = try await record(page.query["transaction"], of: identity, in: app.scope)
        let form = CreditForm.reversal(path, identity: identity, transaction: record.transaction.id)
        return try formPage(
            page, "Reverse the transaction", form, section: path, after: [Block(facts: .transaction(record, identity))])
    }

    func reverseCredits(_ page: PageRequest) async throws -> DashboardAnswer {
        let (app, typed) = (try page.app, page.form)
        let (path, identity) = (PagePath.credits(app.scope), typed["identity"])
        let record = try await record(typed["transaction"], of: identity, in: app.scope)
        let form = CreditForm.reversal(path, identity: identity, transaction: record.transaction.id, typed)
        let facts = [Block(facts: .transaction(record, identity))]
        guard typed["confirmation"] == identity else {
            return try formPage(
                page, "Reverse the transaction", form.saying("This is not the user's id.", at: "confirmation"), .invalid(""),
                section: path, after: facts)
        }
        do {
            let call = try CreditCall(idempotencyKey: try page.retryKey)
            _ = try await services.credits.reverse(record.transaction.id, isFraud: typed["fraud"] == "true", call, in: app.scope)
            return .seeOther(PagePath.query(path, [("identity", identity), ("saved", "reversed")]))
        } catch let failure as Failure where failure.isAboutInput {
            return try formPage(page, "Reverse the transaction", form, failure, section: path, after: facts)
        }
    }

    /// Returns a transaction of a user's history by its id. Fails with `notFound`.
    private func record(_ text: String, of identity: String, in scope: Scope) async throws -> CreditRecord {
        guard !identity.isEmpty else { throw Failure.invalid("identity is missing: the user's id.") }
        let known = try await services.people.identity(identity, in: scope)
        let account = AccountReference.reference(identity, id: known.id)
        guard let id = Int64(text), id < .max,
            let record = try await services.credits.history(
                CreditHistoryQuery(after: CreditTransaction.ID(rawValue: id + 1), length: 1), of: account, in: scope
            ).first, record.transaction.id.rawValue == id
        else { throw Failure.notFound("There is no such transaction of this user.") }
        return record
    }
}
