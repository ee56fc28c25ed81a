import BranchWire
import Linden
import LindenKernel
import LindenServices

extension LinkForm {
    /// The id of a link that is not stored. Not that of long links, whose URLs of other sites are refused.
    private static let draftID = Link.ID(rawValue: -1)

    /// Returns the link that the fields describe, as it will be once it is saved. Nothing is stored. Fails as saving it does, but for an
    /// alias that another link has.
    ///
    /// - Parameter link: the link that is changed; nil for a new one.
    func draft(of link: Link?, for app: AppContext, _ services: Services) throws -> Link {
        if let link {
            let changes = try self.changes(of: link)
            let changed = try changes.apply(to: link)
            // What is stored already stays valid, also where the app's settings have changed since.
            _ = try services.links.draft(NewLink(data: changes.data.filter { _, value in !value.isNull }), for: app)
            try services.links.sizes.check(changed.data, changed.labels)
            return changed
        }
        let new = try newLink(services.publicIDs, retryKey: "")
        _ = try services.links.draft(new, for: app)
        return Link(
            id: Self.draftID, scope: app.scope, address: LinkAddress(host: app.domain ?? "", path: new.alias ?? ""),
            hasAlias: new.alias != nil, kind: new.kind, duration: new.duration, owner: nil, labels: new.labels, folder: new.folder,
            data: new.data, object: nil, source: new.source, isAuthenticated: true, createdAt: services.clock.now(),
            limits: new.limits)
    }

    /// The same over HTTP and on the command line, for the fields as they are.
    ///
    /// - Parameter url: the address of the link that is changed; nil for a new one.
    func equivalents(of link: Link?, url: String?, for app: AppContext) -> Equivalents {
        let members = self.members.members
        let (given, options) = (members.without(["type"]), Self.options(members))
        guard let link, let url else {
            return Equivalents(
                command: "linden links create --app \(app.key.branchKey) --type \(members["type"]?.scalarText ?? "")\(options)",
                call: "POST " + PagePath.query("/api/v1/links", [("app", app.key.branchKey)]) + "\n" + JSON.object(members).text)
        }
        return Equivalents(
            command: "linden links update \(url.shellQuoted)\(options)",
            call: "PATCH /api/v1/links/\(link.id.rawValue)\n" + JSON.object(given).text)
    }

    /// The members of a call as options of the command.
    private static func options(_ members: JSONObject) -> String {
        var words: [String] = []
        for (name, value) in members where name != "type" {
            switch name {
            case "data":
                for (key, value) in value.object ?? [:] {
                    words += ["--data", (value.string.map { key + "=" + $0 } ?? JSON.object([key: value]).text).shellQuoted]
                }
            case "tags":
                for tag in value.array ?? [] { words += ["--tag", (tag.scalarText ?? "").shellQuoted] }
            default: words += ["--" + name.replacing("_", with: "-"), (value.scalarText ?? "").shellQuoted]
            }
        }
        return words.map { " " + $0 }.joined()
    }
}
