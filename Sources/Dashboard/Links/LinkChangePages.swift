import Linden
import LindenKernel
import LindenServices
import LinkRouting

/// Creating, changing and deleting a link.
extension Dashboard {
    func newLinkPage(_ page: PageRequest) throws -> DashboardAnswer {
        let path = PagePath.links(try page.app.scope)
        let key = Hex.encode(UInt64.random(in: .min ... .max))
        return try formPage(page, "Create a link", LinkForm().form(path, submit: "Create the link", cancel: path, retryKey: key))
    }

    func createLink(_ page: PageRequest) async throws -> DashboardAnswer {
        let app = try page.app
        let (path, key, typed) = (PagePath.links(app.scope), page.form["retry_key"], LinkForm(typed: page.form))
        do {
            let link = try await services.links.create(
                try typed.newLink(services.publicIDs, retryKey: "\(try page.user.id) \(key)"), for: app)
            return .seeOther(PagePath.link(link.id, link.scope) + "?saved=created")
        } catch let failure as Failure where failure.isAboutInput {
            let form = typed.form(path, submit: "Create the link", cancel: path, retryKey: key)
            return try formPage(page, "Create a link", form, failure)
        }
    }

    func editLinkPage(_ page: PageRequest) async throws -> DashboardAnswer {
        let link = try await changeableLink(page)
        let path = PagePath.link(link.id, link.scope)
        return try formPage(page, "Edit the link", LinkForm(link).form(path, submit: "Save", cancel: path))
    }

    func changeLink(_ page: PageRequest) async throws -> DashboardAnswer {
        let link = try await changeableLink(page)
        let (path, typed) = (PagePath.link(link.id, link.scope), LinkForm(typed: page.form))
        do {
            _ = try await services.links.update(link.id, with: try typed.changes(of: link))
            return .seeOther(path + "?saved=changed")
        } catch let failure as Failure where failure.isAboutInput {
            return try formPage(page, "Edit the link", typed.form(path, submit: "Save", cancel: path), failure)
        }
    }

    // MARK: Deleting

    func deleteLinkPage(_ page: PageRequest) async throws -> DashboardAnswer {
        let link = try await changeableLink(page)
        return try formPage(page, "Delete the link", .deletion(of: link))
    }

    func deleteLink(_ page: PageRequest) async throws -> DashboardAnswer {
        let link = try await changeableLink(page)
        guard page.form["path"] == link.address.path else {
            let form = Form.deletion(of: link, typed: page.form["path"]).saying("This is not the link's path.", at: "path")
            return try formPage(page, "Delete the link", form, Failure.invalid(""))
        }
        try await services.links.delete(link.id)
        return .seeOther(PagePath.link(link.id, link.scope))
    }

    private func changeableLink(_ page: PageRequest) async throws -> Link {
        let link = try await link(page)
        guard link.deletedAt == nil else { throw Failure(.gone, "This link was deleted.") }
        return link
    }

    /// Returns a page with one form; after a failed attempt with its message, at its field if it is about one.
    private func formPage(_ page: PageRequest, _ title: String, _ form: Form, _ failure: Failure? = nil) throws -> DashboardAnswer {
        let (app, user) = (try page.app, try page.user)
        var blocks = [Block(form: form)]
        if let failure, !failure.message.isEmpty {
            blocks = form.saying(failure.message).map { [Block(form: $0)] } ?? [.problem(failure.message), Block(form: form)]
        }
        return PageView(title, isNarrow: true, blocks).of(app, user, section: PagePath.links(app.scope))
            .answer(failure.map { .failed($0.code) } ?? .found)
    }
}

extension Failure {
    /// Whether the fields of a form can be changed so that the next attempt succeeds.
    fileprivate var isAboutInput: Bool { [.invalid, .conflict, .tooLarge].contains(code) }
}

extension Form {
    fileprivate static func deletion(of link: Link, typed: String = "") -> Form {
        Form(
            PagePath.link(link.id, link.scope) + "/delete", submit: "Delete the link", isDangerous: true,
            cancel: PagePath.link(link.id, link.scope),
            [
                .text(
                    "path", "The link's path", typed,
                    hint: "Visitors will see that the link does not exist, and its clicks are counted no more. To confirm, type "
                        + link.address.path, isRequired: true, hasFocus: true)
            ])
    }
}
