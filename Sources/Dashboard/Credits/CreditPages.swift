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
        let (path, typed) = (PagePath.credits(app.scope), query.exact("identity"))
        let search = Form(
            path, method: "get", submit: "Look up",
            [.text("identity", "The user's id in your app, or an identity_id", typed, type: "search")])
        var view = PageView("Credits", lead: "The credits of one user of the app.", [Block(filter: search)])
        var outcome = DashboardAnswer.Outcome.found
        if !typed.isEmpty {
            do {
                let holder = NamedUser(try await lookUpIdentity(typed, in: app.scope), services.publicIDs)
                view.blocks += .credits(try await account(of: holder, page), of: app, for: user.role)
            } catch let failure as Failure where failure.code == .notFound {
                view.blocks += [.problem(failure.message)]
                if Access.appAdministrators.admits(user.role), !isReference(typed.trimmed) {
                    let space = typed.hasSpaceAround ? " Its id has the white space: \(typed.withVisibleSpace)." : ""
                    view.blocks += [
                        .heading("Grant credits"),
                        .paragraph("A grant to an id that your app has not reported yet creates the user." + space),
                        Block(form: CreditForm.grant(path, identity: typed)),
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

    private func account(of user: NamedUser, _ page: PageRequest) async throws -> CreditAccount {
        let app = try page.app
        let account = AccountReference.reference(user.reference, id: user.id)
        let before = Int64(page.query["cursor"]).map { CreditTransaction.ID(rawValue: $0) }
        return CreditAccount(
            reference: user.reference, name: user.name,
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
        let (path, identity) = (PagePath.credits(app.scope), typed.exact("identity"))
        do {
            guard !identity.isEmpty else { throw Failure.invalid("identity is missing: your own id of the user.") }
            if isReference(identity) { _ = try await appUser(identity, in: app.scope) }
            let account = AccountReference.reference(identity, id: services.publicIDs.id(named: identity))
            try await body(account, try CreditCall(idempotencyKey: try page.retryKey), app.scope)
            return .seeOther(PagePath.query(path, [("identity", identity), ("saved", saved)]))
        } catch let failure as Failure where failure.isAboutInput {
            let user = try await knownUser(identity, in: app.scope)
            let (shown, reference) = (user?.shown ?? identity.withVisibleSpace, user?.reference ?? identity)
            return try formPage(page, title, lead: "Of \(shown).", form(path, reference, typed), failure, section: path)
        }
    }

    /// Returns the user of exactly this id or reference; nil if there is none.
    private func knownUser(_ text: String, in scope: Scope) async throws -> NamedUser? {
        do {
            return NamedUser(try await services.people.identity(text, in: scope), services.publicIDs)
        } catch let failure as Failure where failure.code == .notFound {
            return nil
        }
    }

    /// Whether a text is the reference of a user, who may be erased. A grant must not create a user of such a name.
    private func isReference(_ text: String) -> Bool {
        text.hasPrefix(Identity.referencePrefix) && services.publicIDs.id(named: text, of: Identity.self) != nil
    }

    // MARK: Reversing

    func creditReversalPage(_ page: PageRequest) async throws -> DashboardAnswer {
        let app = try page.app
        let path = PagePath.credits(app.scope)
        let user = try await appUser(page.query.exact("identity"), in: app.scope)
        let record = try await record(page.query["transaction"], of: user, in: app.scope)
        let form = CreditForm.reversal(path, of: user, transaction: record.transaction.id)
        return try formPage(
            page, "Reverse the transaction", form, section: path, after: [Block(facts: .transaction(record, user))])
    }

    func reverseCredits(_ page: PageRequest) async throws -> DashboardAnswer {
        let (app, typed) = (try page.app, page.form)
        let (path, identity) = (PagePath.credits(app.scope), typed.exact("identity"))
        let user = try await appUser(identity, in: app.scope)
        let record = try await record(typed["transaction"], of: user, in: app.scope)
        let form = CreditForm.reversal(path, of: user, transaction: record.transaction.id, typed)
        let facts = [Block(facts: .transaction(record, user))]
        guard typed["confirmation"] == user.confirmation else {
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
    private func record(_ text: String, of user: NamedUser, in scope: Scope) async throws -> CreditRecord {
        let account = AccountReference.reference(user.reference, id: user.id)
        guard let id = Int64(text), id < .max,
            let record = try await services.credits.history(
                CreditHistoryQuery(after: CreditTransaction.ID(rawValue: id + 1), length: 1), of: account, in: scope
            ).first, record.transaction.id.rawValue == id
        else { throw Failure.notFound("There is no such transaction of this user.") }
        return record
    }
}
