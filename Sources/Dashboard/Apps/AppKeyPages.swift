import Linden
import LindenAPI
import LindenKernel
import LindenServices

/// The key and the secret of one side of an app: replaced, with an overlap in which the former ones are accepted, and ended. By an
/// administrator of all apps.
extension Dashboard {
    func keysPage(_ page: PageRequest) async throws -> DashboardAnswer {
        try await keysPage(page, said: Self.said[page.query["saved"]].map { [Block.success($0)] } ?? [])
    }

    private static let said = [
        "ended": "The key is refused from now on.", "secrets": "The former secrets are refused from now on.",
    ]

    /// The names of the two forms of the page.
    private static let (keyForm, secretForm) = ("key", "secret")

    func rotateKey(_ page: PageRequest) async throws -> DashboardAnswer {
        let app = try page.app
        return try await rotated(page, Self.keyForm) {
            let (key, former) = try await services.keyRotation.rotateKey(
                of: app.scope, overlap: RotationOverlap(page.form["overlap"]))
            return ("Put this key into the app", app.scope.keyView(key, former: former))
        }
    }

    func rotateSecret(_ page: PageRequest) async throws -> DashboardAnswer {
        let app = try page.app
        return try await rotated(page, Self.secretForm) {
            let (secret, end) = try await services.keyRotation.rotateSecret(
                of: app.scope, overlap: RotationOverlap(page.form["overlap"]))
            return ("Keep this secret: it is shown only here", app.scope.secretView(secret, formerEndsAt: end))
        }
    }

    private func rotated(
        _ page: PageRequest, _ form: String, _ rotate: () async throws -> (title: String, view: JSONObject)
    ) async throws -> DashboardAnswer {
        let (app, path) = (try page.app, PagePath.keys(try page.app.scope))
        do {
            let (title, view) = try await rotate()
            return PageView(
                title, isNarrow: true,
                [Block(facts: .rotation(view)), .buttons([Button(buttonLabel: "To the keys", buttonHref: path, isMain: true)])]
            ).of(app, try page.user, section: path).answer()
        } catch let failure as Failure where failure.isAboutInput {
            return try await keysPage(page, refused: (form, failure))
        }
    }

    // MARK: Ending

    func endKeyPage(_ page: PageRequest) async throws -> DashboardAnswer {
        let path = PagePath.keys(try page.app.scope)
        return try formPage(page, "End the key", Confirmation.end(of: try await formerKey(page), path).form(), section: path)
    }

    func endKey(_ page: PageRequest) async throws -> DashboardAnswer {
        let (key, path) = (try await formerKey(page), PagePath.keys(try page.app.scope))
        return try await confirmed(page, .end(of: key, path), title: "End the key", section: path) {
            _ = try await services.keyRotation.endKey(key)
            return .seeOther(path + "?saved=ended")
        }
    }

    func endSecretsPage(_ page: PageRequest) throws -> DashboardAnswer {
        let app = try page.app
        let path = PagePath.keys(app.scope)
        return try formPage(page, "End former secrets", Confirmation.endOfSecrets(app.app.name, path).form(), section: path)
    }

    func endSecrets(_ page: PageRequest) async throws -> DashboardAnswer {
        let app = try page.app
        let path = PagePath.keys(app.scope)
        return try await confirmed(page, .endOfSecrets(app.app.name, path), title: "End former secrets", section: path) {
            _ = try await services.keyRotation.endFormerSecrets(of: app.scope)
            return .seeOther(path + "?saved=secrets")
        }
    }

    // MARK: Parts

    private func keysPage(
        _ page: PageRequest, said: [Block] = [], refused: (form: String, failure: Failure)? = nil
    ) async throws -> DashboardAnswer {
        let app = try page.app
        let (path, now) = (PagePath.keys(app.scope), services.clock.now())
        let summary = try await services.apps.show(app.key.branchKey)
        let keys = summary.keys.filter { $0.scope == app.scope }
        let secrets = summary.formerSecrets.filter { $0.scope == app.scope }
        func rotation(_ action: String, _ submit: String, _ overlap: String, _ name: String) -> [Block] {
            let failure = refused?.form == name ? refused?.failure : nil
            let typed = failure == nil ? overlap : page.form["overlap"]
            return .form(.rotation(path + action, submit, typed, name), failure)
        }
        var blocks = said
        blocks.append(Block(table: .keys(keys, in: path, now: now)))
        blocks += [
            .heading("A new key"),
            .paragraph("Links and the secret do not change. Installed versions of the app use the former key."),
        ]
        blocks += rotation("/rotate-key", "Give the app a new key", RotationOverlap.standardOfKeys, Self.keyForm)
        blocks += [
            .heading("A new secret"), .paragraph("An overlap of 0 ends the former secret, and signed addresses of files, at once."),
        ]
        blocks += rotation("/rotate-secret", "Give the app a new secret", RotationOverlap.standardOfSecrets, Self.secretForm)
        if !secrets.isEmpty { blocks.append(Block(table: .formerSecrets(secrets, now: now))) }
        if secrets.contains(where: { !$0.hasEnded(at: now) }) {
            blocks.append(.buttons([Button(buttonLabel: "End the former secrets", buttonHref: path + "/end-secrets")]))
        }
        blocks.append(Block(equivalents: .keys(app.key.branchKey)))
        return PageView("Keys", lead: "The branch key and the secret of this side of the app.", blocks)
            .of(app, try page.user, section: path)
            .answer(refused.map { .failed($0.failure.code) } ?? .found)
    }

    /// Returns the former key of the app's side that the path names. Fails with `notFound`.
    private func formerKey(_ page: PageRequest) async throws -> String {
        let (app, key) = (try page.app, page.parameter("key"))
        let keys = try await services.apps.show(app.key.branchKey).keys
        guard let found = keys.first(where: { $0.branchKey == key && $0.scope == app.scope && $0.replacedAt != nil }) else {
            throw Failure.notFound("There is no such former key.")
        }
        return found.branchKey
    }
}

extension Form {
    fileprivate static func rotation(_ path: String, _ submit: String, _ overlap: String, _ prefix: String) -> Form {
        Form(
            path, submit: submit, isDangerous: true,
            [
                .text(
                    "overlap", "How long the former one is accepted", overlap,
                    hint: "Such as 30d or 12h, 0, forever, or a date or time.", isRequired: true)
            ]
        ).withIDs(of: prefix)
    }
}

extension Table {
    fileprivate static func keys(_ keys: [AppKey], in path: String, now: Timestamp) -> Table {
        Table(
            "Keys", ["Key", "State", "End"].map { Column(columnLabel: $0) },
            keys.map { key in
                let mayEnd = key.replacedAt != nil && key.endsAt.map { $0 > now } ?? true
                return [
                    .code(key.branchKey), Cell(state(replacedAt: key.replacedAt, endsAt: key.endsAt, now: now)),
                    mayEnd ? Cell("end", href: "\(path)/\(key.branchKey)/end") : Cell(""),
                ]
            }, isCaptionVisible: true)
    }

    fileprivate static func formerSecrets(_ secrets: [FormerSecret], now: Timestamp) -> Table {
        Table(
            "Former secrets", ["Replaced", "State"].map { Column(columnLabel: $0) },
            secrets.map {
                [.time($0.replacedAt.iso8601), Cell(state(replacedAt: $0.replacedAt, endsAt: $0.endsAt, now: now))]
            }, isCaptionVisible: true)
    }

    private static func state(replacedAt: Timestamp?, endsAt: Timestamp?, now: Timestamp) -> String {
        guard replacedAt != nil else { return "current" }
        guard let endsAt else { return "former, accepted without end" }
        return endsAt <= now ? "former, refused since \(endsAt.iso8601)" : "former, accepted until \(endsAt.iso8601)"
    }
}

extension Facts {
    fileprivate static func rotation(_ view: JSONObject) -> Facts {
        let labels = [
            "branch_key": "Key", "former_branch_key": "Former key", "former_key_ends_at": "The former key is accepted until",
            "branch_secret": "Secret", "former_secret_ends_at": "The former secret is accepted until",
        ]
        return Facts(view.compactMap { name, value in labels[name].map { (name: $0, cell: Cell.code(value.string ?? "")) } })
    }
}

extension Confirmation {
    fileprivate static func end(of key: String, _ path: String) -> Confirmation {
        Confirmation(
            action: "\(path)/\(key)/end", submit: "End the key", cancel: path, name: key, label: "the key",
            consequence: "Installed versions of the app with this key stop working. Links with it in their address go on.")
    }

    fileprivate static func endOfSecrets(_ name: String, _ path: String) -> Confirmation {
        Confirmation(
            action: path + "/end-secrets", submit: "End the former secrets", cancel: path, name: name, label: "the app's name",
            consequence: "Servers that use a former secret are refused from now on, and signed addresses of files end.")
    }
}

extension Equivalents {
    fileprivate static func keys(_ key: String) -> Equivalents {
        Equivalents(
            command: "linden apps rotate-key \(key)\nlinden apps end-key FORMER_KEY\nlinden apps rotate-secret \(key)\n"
                + "linden apps end-secret \(key)",
            call: "POST /api/v1/apps/\(key)/keys\nDELETE /api/v1/apps/\(key)/keys/FORMER_KEY\nPOST /api/v1/apps/\(key)/secrets\n"
                + "DELETE /api/v1/apps/\(key)/secrets/former")
    }
}
