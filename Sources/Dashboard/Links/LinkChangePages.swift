import Linden
import LindenKernel
import LindenServices

/// Creating, changing and deleting a link.
extension Dashboard {
    func newLinkPage(_ page: PageRequest) throws -> DashboardAnswer {
        let path = PagePath.links(try page.app.scope)
        let key = Field.retryKey().value
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
