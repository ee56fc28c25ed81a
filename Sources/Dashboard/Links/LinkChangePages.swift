import Linden
import LindenKernel
import LindenReporting
import LindenServices
import LinkRouting

/// Creating, changing and deleting a link.
extension Dashboard {
    func newLinkPage(_ page: PageRequest) async throws -> DashboardAnswer {
        // Fields in the address fill the form, as templates do; nothing is stored.
        var form = LinkForm(typed: page.query)
        if let template = try await template(page.query, page) { form = LinkForm(template) }
        if let like = try await like(page.query, page) { form = LinkForm(like: like) }
        return try await draftPage(page, form, retryKey: Field.retryKey().value)
    }

    func createLink(_ page: PageRequest) async throws -> DashboardAnswer {
        let app = try page.app
        let (key, typed) = (page.form["retry_key"], try await typedForm(page))
        do {
            try Admission.current?.admit(.createLink)
            let new = try typed.newLink(services.publicIDs, retryKey: "\(try page.user.id) \(key)")
            // The form has not what comes from a template or another link.
            Admission.current?.charge(bytes: JSON.object(new.data).bytes.count)
            let link = try await services.links.create(new, for: app) { Admission.current?.charge(bytes: $0) }
            return .seeOther(PagePath.link(link.id, link.scope) + "?saved=created")
        } catch let failure as Failure where failure.isAboutInput {
            return try await draftPage(page, typed, retryKey: key, failure)
        }
    }

    /// Shows where the link would lead. Nothing is stored.
    func previewNewLink(_ page: PageRequest) async throws -> DashboardAnswer {
        try await draftPage(page, try await typedForm(page), retryKey: page.form["retry_key"])
    }

    /// The form of a new link or a template as it was sent.
    func typedForm(_ page: PageRequest) async throws -> LinkForm {
        LinkForm(typed: page.form, template: try await template(page.form, page), like: try await like(page.form, page))
    }

    /// Returns the link that the field `like` names; nil for none. Fails with `notFound` for a link of another app or side.
    private func like(_ fields: FormFields, _ page: PageRequest) async throws -> Link? {
        guard let id = fields.text("like") else { return nil }
        return try await link(id, page)
    }

    /// Returns the template that the field `template` names; nil for none, or for one that was deleted meanwhile.
    func template(_ fields: FormFields, _ page: PageRequest) async throws -> LinkTemplate? {
        guard let name = fields.text("template") else { return nil }
        return try await services.linkTemplates.find(name, in: try page.app.scope)
    }

    func editLinkPage(_ page: PageRequest) async throws -> DashboardAnswer {
        let link = try await changeableLink(page)
        return try await draftPage(page, LinkForm(link), of: link)
    }

    func changeLink(_ page: PageRequest) async throws -> DashboardAnswer {
        let link = try await changeableLink(page)
        let typed = LinkForm(typed: page.form)
        do {
            try Admission.current?.admit(.changeLink)
            _ = try await services.links.update(link.id, with: try typed.changes(of: link))
            return .seeOther(PagePath.link(link.id, link.scope) + "?saved=changed")
        } catch let failure as Failure where failure.isAboutInput {
            return try await draftPage(page, typed, of: link, failure)
        }
    }

    /// Shows where the changed link would lead. Nothing is stored.
    func previewLinkChange(_ page: PageRequest) async throws -> DashboardAnswer {
        let link = try await changeableLink(page)
        return try await draftPage(page, LinkForm(typed: page.form), of: link)
    }

    /// The page with the form of a link and its preview; after a failed attempt with the message.
    ///
    /// - Parameter link: the link that is changed; nil for a new one.
    private func draftPage(
        _ page: PageRequest, _ typed: LinkForm, of link: Link? = nil, retryKey: String? = nil, _ failure: Failure? = nil
    ) async throws -> DashboardAnswer {
        let app = try page.app
        let links = PagePath.links(app.scope)
        let path = link.map { PagePath.link($0.id, $0.scope) } ?? links
        var failure = failure
        var preview: LinkPreview?
        var warnings: [String] = []
        do {
            let unsaved = try typed.draft(of: link, for: app, services)
            warnings = app.linkWarnings(for: unsaved.data)
            let inspection = try await services.clicks.inspect(unsaved: unsaved, of: app)
            preview = LinkPreview(inspection, services.baseURL, at: services.clock.now())
        } catch let fault as Failure where fault.isAboutInput {
            failure = failure ?? fault
        }
        // The script asks for the preview only.
        let isPart = page.query["part"] == "preview"
        let templates = isPart || link != nil ? [] : try await services.linkTemplates.names(app.scope)
        let suggestions = isPart ? LinkSuggestions() : try await .latest(in: app.scope, services, templates: templates)
        let form = typed.form(
            path, submit: link == nil ? "Create the link" : "Save", cancel: path, retryKey: retryKey, offering: suggestions,
            namesParameters: app.routing.passesLabelsOn)
        let message = failure?.message ?? ""
        let said = failure.map { message.isEmpty ? form : form.saying($0) } ?? form
        let draft = DraftForm(
            draftForm: said ?? form, preview: preview, draftProblem: preview == nil ? message : nil, draftWarnings: warnings)
        var view = PageView(
            link == nil ? "Create a link" : "Edit the link",
            (said == nil && preview != nil ? [.problem(message)] : [])
                + (link == nil ? suggestions.templates(links + "/new", chosen: typed) : [])
                + [
                    Block(draft: draft),
                    Block(equivalents: typed.equivalents(of: link, url: link.map { services.links.url(of: $0) }, for: app)),
                ])
        view.scripts.append(Asset.preview.path)
        var answer = view.of(app, try page.user, section: links).answer(failure.map { .failed($0.code) } ?? .found)
        answer.connectsToItself = true
        return answer
    }

    // MARK: Archiving and deleting

    /// Takes a link out of lists, or back.
    func archiveLink(_ page: PageRequest) async throws -> DashboardAnswer {
        let link = try await changeableLink(page)
        guard let isArchived = Bool(page.form["archived"]) else { throw Failure.invalid("archived must be true or false.") }
        _ = try await services.links.update(link.id, with: LinkChanges(isArchived: isArchived))
        return .seeOther(PagePath.link(link.id, link.scope) + "?saved=changed")
    }

    func deleteLinkPage(_ page: PageRequest) async throws -> DashboardAnswer {
        try formPage(page, "Delete the link", Confirmation.deletion(of: try await changeableLink(page)).form())
    }

    func deleteLink(_ page: PageRequest) async throws -> DashboardAnswer {
        let link = try await changeableLink(page)
        let section = PagePath.links(link.scope)
        return try await confirmed(page, .deletion(of: link), title: "Delete the link", section: section) {
            try await services.links.delete(link.id)
            return .seeOther(PagePath.link(link.id, link.scope))
        }
    }

    private func changeableLink(_ page: PageRequest) async throws -> Link {
        let link = try await link(page)
        guard link.deletedAt == nil else { throw Failure(.gone, "This link was deleted.") }
        return link
    }

    private func formPage(_ page: PageRequest, _ title: String, _ form: Form, _ failure: Failure? = nil) throws -> DashboardAnswer {
        try formPage(page, title, form, failure, section: PagePath.links(try page.app.scope))
    }
}

extension Confirmation {
    fileprivate static func deletion(of link: Link) -> Confirmation {
        Confirmation(
            action: PagePath.link(link.id, link.scope) + "/delete", submit: "Delete the link",
            cancel: PagePath.link(link.id, link.scope), name: link.address.path, label: "the link's path",
            consequence: "Visitors will see that the link does not exist, and its clicks are counted no more.")
    }
}
