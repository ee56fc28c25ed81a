import Linden
import LindenAPI
import LindenKernel
import LindenServices

/// Changes of the links that are selected in the list.
extension Dashboard {
    func changeLinks(_ page: PageRequest) async throws -> DashboardAnswer {
        let (app, form) = (try page.app, page.form)
        let ids = form.all("link")
        let back = Self.listPath(form, app.scope)
        do {
            guard !ids.isEmpty else { throw Failure.invalid("Select the links to change.") }
            guard ids.count <= LinkBulkChange.mostLinks else {
                throw Failure.invalid("Select at most \(LinkBulkChange.mostLinks) links.")
            }
            guard let action = LinkBulkAction(rawValue: form["action"]) else { throw Failure.invalid("Choose what to do.") }
            if action == .delete {
                let confirmation = Confirmation.deletion(of: ids, back, app.scope)
                return try formPage(page, "Delete links", confirmation.form(), section: PagePath.links(app.scope))
            }
            let changes = try action.changes(form["value"], now: services.clock.now())
            try Admission.current?.admit(.changeLink, amount: ids.count)
            return try bulkPage(page, try await services.links.change(ids, in: app.scope, .update { _ in changes }), back)
        } catch let failure as Failure where failure.isAboutInput {
            return PageView(
                "Change links", isNarrow: true,
                [.problem(failure.message), .buttons([Button(buttonLabel: "Back to the links", buttonHref: back, isMain: true)])]
            ).of(app, try page.user, section: PagePath.links(app.scope)).answer(.failed(failure.code))
        }
    }

    func deleteLinks(_ page: PageRequest) async throws -> DashboardAnswer {
        let (app, form) = (try page.app, page.form)
        let (ids, back) = (form.all("link"), Self.listPath(form, app.scope))
        let section = PagePath.links(app.scope)
        return try await confirmed(page, .deletion(of: ids, back, app.scope), title: "Delete links", section: section) {
            try Admission.current?.admit(.changeLink, amount: ids.count)
            return try bulkPage(page, try await services.links.change(ids, in: app.scope, .delete), back)
        }
    }

    private func bulkPage(_ page: PageRequest, _ outcomes: [LinkBulkOutcome], _ back: String) throws -> DashboardAnswer {
        let app = try page.app
        let refused = outcomes.filter { $0.failure != nil }
        let done = outcomes.count - refused.count
        let verb = outcomes.first?.isDeletion == true ? "deleted" : "changed"
        var blocks: [Block] = []
        if done > 0 { blocks.append(.success(done == 1 ? "1 link was \(verb)." : "\(done) links were \(verb).")) }
        if !refused.isEmpty {
            blocks.append(.problem(refused.count == 1 ? "1 link was refused." : "\(refused.count) links were refused."))
            blocks.append(
                Block(
                    table: Table(
                        "Refused links", ["Link", "Why"].map { Table.Column(columnLabel: $0) },
                        refused.map { [Cell($0.link?.address.path ?? $0.id), Cell($0.failure?.message ?? "")] },
                        isCaptionVisible: true)))
        }
        blocks.append(.buttons([Button(buttonLabel: "Back to the links", buttonHref: back, isMain: true)]))
        return PageView("Change links", blocks).of(app, try page.user, section: PagePath.links(app.scope)).answer()
    }

    /// The list that the form came from, with its filter.
    private static func listPath(_ form: FormFields, _ scope: Scope) -> String {
        let path = PagePath.links(scope)
        guard let back = PagePath.returning(to: form["to"]), back == path || back.hasPrefix(path + "?") else { return path }
        return back
    }
}

/// What can be done to all selected links.
enum LinkBulkAction: String, CaseIterable {
    case addTag = "add-tag"
    case removeTag = "remove-tag"
    case channel
    case campaign
    case folder
    case expire
    case reopen
    case archive
    case restore
    case delete

    var label: String {
        switch self {
        case .addTag: "add the tag"
        case .removeTag: "remove the tag"
        case .channel: "set the channel (empty: none)"
        case .campaign: "set the campaign (empty: none)"
        case .folder: "move them to the folder (empty: none)"
        case .expire: "let them expire now"
        case .reopen: "remove their time of expiry"
        case .archive: "archive them"
        case .restore: "restore them from the archive"
        case .delete: "delete them"
        }
    }

    /// Fails with `invalid` without a value that is needed.
    func changes(_ value: String, now: Timestamp) throws -> LinkChanges {
        let label = FieldUpdate(value.isEmpty ? nil : value)
        switch self {
        case .addTag, .removeTag:
            guard !value.isEmpty else { throw Failure.invalid("Type the tag.") }
            return self == .addTag ? LinkChanges(addedTags: [value]) : LinkChanges(removedTags: [value])
        case .channel: return LinkChanges(channel: label)
        case .campaign: return LinkChanges(campaign: label)
        case .folder: return LinkChanges(folder: label)
        case .expire: return LinkChanges(expiresAt: .set(now))
        case .reopen: return LinkChanges(expiresAt: .clear)
        case .archive: return LinkChanges(isArchived: true)
        case .restore: return LinkChanges(isArchived: false)
        case .delete: return LinkChanges()
        }
    }
}

extension Selection {
    /// A list of links with the form that changes the selected ones.
    ///
    /// - Parameter list: the path of the list with its filter.
    static func links(_ table: Table, _ scope: Scope, list: String) -> Selection {
        let form = Form(
            PagePath.links(scope) + "/bulk", submit: "Change the selected links",
            [
                .hidden("to", list),
                .choice("action", "With the selected links", "", LinkBulkAction.allCases.map { ($0.rawValue, $0.label) }),
                .text("value", "Tag, channel, campaign or folder"),
            ]
        ).withIDs(of: "bulk")
        return Selection(selectionTable: table, selectionForm: form)
    }
}

extension Confirmation {
    fileprivate static func deletion(of ids: [String], _ back: String, _ scope: Scope) -> Confirmation {
        Confirmation(
            action: PagePath.links(scope) + "/bulk-delete", submit: "Delete the links", cancel: back, name: String(ids.count),
            label: "the number of links",
            consequence:
                "Visitors of these \(ids.count) links will see that they do not exist, and their clicks are counted no more.",
            fields: [.hidden("to", back)] + ids.map { .hidden("link", $0) })
    }
}
