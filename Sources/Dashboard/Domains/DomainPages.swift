import Linden
import LindenAPI
import LindenKernel
import LindenServices

/// The hosts of an app's links: listed, added, checked, changed and removed.
extension Dashboard {
    private static let domainsShown = 100

    func domainsPage(_ page: PageRequest) async throws -> DashboardAnswer {
        try await domainsPage(page, typed: "", nil)
    }

    private func domainsPage(_ page: PageRequest, typed: String, _ failure: Failure?) async throws -> DashboardAnswer {
        let (app, user) = (try page.app, try page.user)
        let path = PagePath.domains(app.scope)
        let (domains, next) = try await services.domains.list(
            of: app.app.id, app.scope.mode, after: page.query.text("cursor"), limit: Self.domainsShown)
        var blocks: [Block] = []
        if page.query["saved"] == "removed" { blocks.append(.success("The domain was removed.")) }
        blocks.append(
            domains.isEmpty
                ? Block(
                    empty: EmptyState(
                        emptyTitle: "No domain yet",
                        emptyText:
                            "The app's links are on \(services.baseURL.host), which all apps share. With its own domain, links "
                            + "open the app directly. Point the domain's DNS record at this server, then add it."))
                : Block(
                    table: Table(
                        "Domains", ["Domain", "Root", "Unknown links", "Expired links"].map { Table.Column(columnLabel: $0) },
                        domains.map { domain in
                            [Cell(domain.host, href: "\(path)/\(domain.host)")]
                                + domain.pages.members.map { Cell($0.url?.shortened ?? "the server's page") }
                        })))
        if let next { blocks.append(Block(pager: Pager(nextHref: PagePath.query(path, [("cursor", next)])))) }
        if Access.appAdministrators.admits(user.role) {
            let form = Form(
                path, submit: "Add the domain",
                [.text("domain", "Domain", typed, hint: "A host such as go.example.com.", isRequired: true)])
            blocks.append(.heading("Add a domain"))
            blocks.append(Block(form: failure.map { form.saying($0.message, at: "domain") } ?? form))
        }
        let key = app.key.branchKey
        blocks.append(
            Block(
                equivalents: Equivalents(
                    command: "linden domains list --app \(key)\nlinden domains add HOST --app \(key)",
                    call: "GET /api/v1/domains?app=\(key)\nPOST /api/v1/domains?app=\(key)")))
        return PageView("Domains", lead: "The hosts of the app's links.", blocks).of(app, user, section: path)
            .answer(failure.map { .failed($0.code) } ?? .found)
    }

    func addDomain(_ page: PageRequest) async throws -> DashboardAnswer {
        let (app, user, typed) = (try page.app, try page.user, page.form["domain"])
        do {
            let host = try Domain.normalizedHost(typed)
            // The links of all apps without a domain of their own are on that host, and the pages of its owner are shown there.
            guard user.app == nil || host != services.baseURL.host else {
                throw Failure.invalid("\(host) is the host of the base URL: only a user of all apps can add it.")
            }
            let domain = try await services.domains.add(host, to: app.scope)
            return .seeOther("\(PagePath.domains(app.scope))/\(domain.host)?saved=added")
        } catch let failure as Failure where failure.code == .conflict && user.app != nil {
            // The message would name the app that has it.
            return try await domainsPage(
                page, typed: typed, Failure(.conflict, "\(typed) is the domain of an app already."))
        } catch let failure as Failure where failure.isAboutInput {
            return try await domainsPage(page, typed: typed, failure)
        }
    }

    func domainPage(_ page: PageRequest) async throws -> DashboardAnswer {
        try await domainPage(page, try await domain(page), nil)
    }

    /// The page with the findings over the network. Asked for by a form: other servers are asked only when a user says so.
    func checkDomain(_ page: PageRequest) async throws -> DashboardAnswer {
        try await domainPage(page, try await domain(page), nil, asksNetwork: true)
    }

    private func domainPage(
        _ page: PageRequest, _ domain: Domain, _ failure: Failure?, asksNetwork: Bool = false
    ) async throws -> DashboardAnswer {
        let (app, user) = (try page.app, try page.user)
        let path = "\(PagePath.domains(app.scope))/\(domain.host)"
        var blocks: [Block] = []
        if page.query["saved"] == "added" { blocks.append(.success("The domain was added.")) }
        if page.query["saved"] == "changed" { blocks.append(.success("The domain was changed.")) }
        let findings = try await findings(about: domain, for: user, asksNetwork: asksNetwork)
        blocks.append(
            Block(
                table: Table(
                    "What the doctor finds", ["Status", "Check", "Finding"].map { Table.Column(columnLabel: $0) },
                    findings.map { [Cell($0.status.rawValue), Cell($0.check), Cell($0.message)] }, isCaptionVisible: true)))
        if Access.appAdministrators.admits(user.role) {
            blocks.append(
                Block(form: Form(path + "/check", submit: asksNetwork ? "Check again" : "Check DNS, certificate and files", [])))
            if !asksNetwork {
                blocks.append(
                    .paragraph("Looks the host up, and fetches its association files as phones do. This may take half a minute."))
            }
            let form = Form.pages(of: domain, path, failure == nil ? nil : page.form)
            blocks.append(.heading("Visitors without a working link"))
            blocks += [Block].form(form, failure)
            blocks.append(.buttons([Button(buttonLabel: "Remove the domain", buttonHref: path + "/remove")]))
        }
        blocks.append(
            Block(
                equivalents: Equivalents(
                    command: """
                        linden doctor domain \(domain.host)
                        linden domains update \(domain.host) --app \(app.key.branchKey)
                        linden domains remove \(domain.host) --app \(app.key.branchKey)
                        """,
                    call: "GET /api/v1/domains?app=\(app.key.branchKey)\nPATCH /api/v1/domains/\(domain.host)"
                        + "\nDELETE /api/v1/domains/\(domain.host)")))
        return PageView(domain.host, blocks).of(app, user, section: PagePath.domains(app.scope))
            .answer(failure.map { .failed($0.code) } ?? .found)
    }

    func changeDomain(_ page: PageRequest) async throws -> DashboardAnswer {
        let (domain, typed) = (try await domain(page), page.form)
        do {
            let (root, notFound, expired) = (typed.text("root_url"), typed.text("not_found_url"), typed.text("expired_url"))
            _ = try await services.domains.update(domain.host, of: domain.scope) { pages in
                (pages.rootURL, pages.notFoundURL, pages.expiredURL) = (root, notFound, expired)
            }
            return .seeOther("\(PagePath.domains(domain.scope))/\(domain.host)?saved=changed")
        } catch let failure as Failure where failure.isAboutInput {
            return try await domainPage(page, domain, failure)
        }
    }

    func removeDomainPage(_ page: PageRequest) async throws -> DashboardAnswer {
        let domain = try await domain(page)
        return try formPage(
            page, "Remove the domain", Confirmation.removal(of: domain).form(), section: PagePath.domains(domain.scope))
    }

    func removeDomain(_ page: PageRequest) async throws -> DashboardAnswer {
        let domain = try await domain(page)
        let (section, mayShareHost) = (PagePath.domains(domain.scope), try page.user.app == nil)
        return try await confirmed(page, .removal(of: domain), title: "Remove the domain", section: section) {
            try await services.domains.remove(domain.host, from: domain.scope, mayShareHost: mayShareHost)
            return .seeOther(section + "?saved=removed")
        }
    }

    // MARK: Parts

    /// Returns the domain that the path names. Fails with `notFound` for one of another app or side.
    private func domain(_ page: PageRequest) async throws -> Domain {
        guard let host = try? Domain.normalizedHost(page.parameter("domain")), let domain = try await services.domains.domain(host),
            domain.scope == (try page.app).scope
        else { throw Failure.notFound("There is no such domain.") }
        return domain
    }

    /// Returns what the doctor finds about a host. A user of one app sees nothing of further apps, and nothing of the server.
    private func findings(about domain: Domain, for user: DashboardUser, asksNetwork: Bool) async throws -> [Finding] {
        let host = domain.host
        var files = try await services.domains.associationFiles(of: host)
        if asksNetwork, let files, let own = user.app, files.apps.contains(where: { $0.id != own }) {
            // The served files name all apps of the host.
            throw Failure(.forbidden, "Other apps use \(host), too: only a user of all apps can check it.")
        }
        if let own = user.app, let all = files?.apps { files = AssociationFiles(apps: all.filter { $0.id == own }) }
        let first = HostCheck.finding(host: host, files: files, baseURL: services.baseURL)
        guard asksNetwork, let files else { return [first] + (files?.apps ?? []).flatMap(AppSettingsCheck.findings) }
        let findings = [first] + (try await diagnose(host, files, domain.scope))
        return user.app == nil ? findings + (try await services.proxyFaults.findings()) : findings
    }
}

extension Form {
    /// The addresses of a domain's pages; those that were typed after a failed attempt.
    fileprivate static func pages(of domain: Domain, _ path: String, _ typed: FormFields?) -> Form {
        let labels = ["root_url": "Its root", "not_found_url": "Links that do not exist", "expired_url": "Expired links"]
        return Form(
            path, submit: "Save",
            domain.pages.members.map { name, url in
                .text(
                    name, labels[name] ?? name, typed?[name] ?? url ?? "", type: "url",
                    hint: "A web address to redirect to. Empty: the server's own page.")
            })
    }
}

extension Confirmation {
    fileprivate static func removal(of domain: Domain) -> Confirmation {
        let path = PagePath.domains(domain.scope)
        return Confirmation(
            action: "\(path)/\(domain.host)/remove", submit: "Remove the domain", cancel: "\(path)/\(domain.host)",
            name: domain.host,
            label: "the domain", consequence: "Links on it stop working, until the domain is added again.")
    }
}
