import Linden
import LindenKernel
import LindenServices
import LinkRouting

/// The templates that new links of an app's side can begin with.
extension Dashboard {
    func templatesPage(_ page: PageRequest) async throws -> DashboardAnswer {
        let chosen = try await template(page.query, page)
        return try await templatesPage(page, chosen.map { LinkForm($0) } ?? LinkForm())
    }

    func saveTemplate(_ page: PageRequest) async throws -> DashboardAnswer {
        let (scope, typed) = (try page.app.scope, try await typedForm(page))
        do {
            try await services.linkTemplates.save(try typed.newTemplate(), in: scope)
            return .seeOther(PagePath.templates(scope) + "?saved=saved")
        } catch let failure as Failure where failure.isAboutInput {
            return try await templatesPage(page, typed, failure)
        }
    }

    func deleteTemplatePage(_ page: PageRequest) async throws -> DashboardAnswer {
        let scope = try page.app.scope
        return try formPage(
            page, "Delete the template", Confirmation.deletion(of: try await storedTemplate(page), in: scope).form(),
            section: PagePath.links(scope))
    }

    func deleteTemplate(_ page: PageRequest) async throws -> DashboardAnswer {
        let (scope, template) = (try page.app.scope, try await storedTemplate(page))
        return try await confirmed(
            page, .deletion(of: template, in: scope), title: "Delete the template", section: PagePath.links(scope)
        ) {
            try await services.linkTemplates.delete(template.name, in: scope)
            return .seeOther(PagePath.templates(scope) + "?saved=deleted")
        }
    }

    /// Returns the template that the query names. Fails with `notFound`.
    private func storedTemplate(_ page: PageRequest) async throws -> LinkTemplate {
        try await services.linkTemplates.template(page.query["template"], in: try page.app.scope)
    }

    private func templatesPage(_ page: PageRequest, _ typed: LinkForm, _ failure: Failure? = nil) async throws -> DashboardAnswer {
        let (app, user) = (try page.app, try page.user)
        let templates = try await services.linkTemplates.summaries(app.scope)
        let (path, key) = (PagePath.templates(app.scope), app.key.branchKey)
        var blocks: [Block] = []
        if page.query["saved"] == "saved" { blocks.append(.success("The template was saved.")) }
        if page.query["saved"] == "deleted" { blocks.append(.success("The template was deleted.")) }
        if !templates.isEmpty { blocks.append(Block(table: .templates(templates, app.scope))) }
        let form = typed.templateForm(
            path, offering: try await .latest(in: app.scope, services), namesParameters: app.routing.passesLabelsOn)
        blocks.append(.heading("Save a template"))
        blocks += [Block].form(form, failure)
        blocks.append(
            Block(
                equivalents: Equivalents(
                    command: """
                        linden links templates list --app \(key)
                        linden links templates save NAME --channel mail --app \(key)
                        linden links templates delete NAME --app \(key)
                        """,
                    call: """
                        GET /api/v1/links/templates?app=\(key)
                        POST /api/v1/links/templates?app=\(key)
                        DELETE /api/v1/links/templates?app=\(key)&name=NAME
                        """)))
        return PageView(
            "Templates", lead: "Labels and data that a new link can begin with, by name. Links that exist are not changed.", blocks
        ).of(app, user, section: PagePath.links(app.scope)).answer(failure.map { .failed($0.code) } ?? .found)
    }
}

extension Confirmation {
    fileprivate static func deletion(of template: LinkTemplate, in scope: Scope) -> Confirmation {
        let path = PagePath.templates(scope)
        return Confirmation(
            action: PagePath.query(path + "/delete", [("template", template.name)]), submit: "Delete the template", cancel: path,
            name: template.name, label: "the template's name",
            consequence: "New links cannot begin with it any more. Links that were created with it stay as they are.")
    }
}

extension Table {
    fileprivate static func templates(_ templates: [LinkTemplateSummary], _ scope: Scope) -> Table {
        let path = PagePath.templates(scope)
        return Table(
            "Templates",
            ["Name", "Channel", "Campaign", "Feature", "Stage", "Tags", "Bytes of data", "Use", "Delete"].map {
                Column(columnLabel: $0, isNumber: $0 == "Bytes of data")
            },
            templates.map { template in
                let (labels, named) = (template.labels, [(name: "template", value: template.name)])
                return [
                    Cell(template.name, href: PagePath.query(path, named)), Cell(labels.channel ?? ""), Cell(labels.campaign ?? ""),
                    Cell(labels.feature ?? ""), Cell(labels.stage ?? ""), Cell(labels.tags.joined(separator: ", ")),
                    .number(Int64(template.dataBytes)),
                    Cell("Create a link", href: PagePath.query(PagePath.links(scope) + "/new", named)),
                    Cell("Delete", href: PagePath.query(path + "/delete", named)),
                ]
            })
    }
}
