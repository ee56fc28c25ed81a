import ArgumentParser
import Linden
import LindenAPI
import LindenKernel
import LindenReporting
import LindenServices

struct LinksCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "links",
        abstract: "Create, list, show, change, delete, export and import links.",
        subcommands: [
            LinksCreateCommand.self, LinksListCommand.self, LinksShowCommand.self, LinksUpdateCommand.self, LinksDeleteCommand.self,
            LinksBulkCommand.self, LinksStatsCommand.self, LinksClicksCommand.self, LinksQRCommand.self, LinksExportCommand.self,
            LinksImportCommand.self, LinksFoldersCommand.self, LinksTemplatesCommand.self,
        ])
}

/// The link that a command applies to, and the base URL that its address is printed with.
struct LinkOptions: ParsableArguments {
    @Argument(help: "The link: its URL, its slug or alias, or its id.")
    var link: String
    @OptionGroup var base: BaseURLOption
}

struct BaseURLOption: ParsableArguments {
    @Option(
        help: ArgumentHelp("The server's public address. Default: that of the last server on this database.", valueName: "url"))
    var baseUrl: String?
}

struct LinksCreateCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(commandName: "create", abstract: "Create a link.")

    @OptionGroup var app: AppOption
    @OptionGroup var content: LinkContentOptions
    @Option(help: "The link's path, such as spring/sale. Default: a random one.")
    var alias: String?
    @Option(help: "The type: 0 standard, 1 one-time use, 2 marketing.")
    var type: Int64 = 0
    @Option(
        help: ArgumentHelp(
            "One of the app's templates, whose labels and data the link gets where it has none of its own.", valueName: "name"))
    var template: String?
    @OptionGroup var base: BaseURLOption
    @OptionGroup var common: CommonOptions

    func run() async throws {
        guard let kind = Link.Kind(rawValue: type) else {
            throw ValidationError("--type must be 0 (standard), 1 (one-time use) or 2 (marketing).")
        }
        let data = try LinkDataArgument.merge(content.label.data)
        let limits = try content.limits()
        try await common.withServices(baseURL: base.baseUrl) { services in
            let app = try await services.apps.context(app.app)
            var new = NewLink(
                alias: alias, kind: kind, duration: content.duration, labels: content.label.labels,
                folder: FieldUpdate(option: content.folder).value, data: data, source: .quickLink, isAuthenticated: true,
                limits: LinkLimits(
                    expiresAt: limits.expiresAt.value, expiredURL: limits.expiredURL.value, maxClicks: limits.maxClicks.value))
            if let template { try await services.linkTemplates.template(template, in: app.scope).fill(&new) }
            let link = try await services.links.create(new, for: app)
            Output(format: common.format).show(
                services.view(of: link), warnings: app.linkWarnings(for: link.data))
        }
    }
}

struct LinksListCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "List an app's links.",
        discussion: """
            All conditions must hold. A page is looked for in at most \(LinkListService.mostLinksRead) links, and is short if few of \
            them match; a line on standard error says how to go on if there may be more.
            """)

    @OptionGroup var app: AppOption
    @OptionGroup var filter: LinkFilterOptions
    @Option(help: "The links created last or first: newest or oldest.")
    var sort: LinkOrder = .newest
    @Option(help: "How many to list.")
    var limit = 50
    @Option(help: ArgumentHelp("Only links older than this id: the next page of --sort newest.", valueName: "id"))
    var before: Int64?
    @Option(help: ArgumentHelp("Only links newer than this id: the next page of --sort oldest.", valueName: "id"))
    var after: Int64?
    @OptionGroup var base: BaseURLOption
    @OptionGroup var common: CommonOptions

    func validate() throws {
        try check(limit: limit)
        guard before == nil || sort == .newest else { throw ValidationError("--before needs --sort newest.") }
        guard after == nil || sort == .oldest else { throw ValidationError("--after needs --sort oldest.") }
    }

    func run() async throws {
        try await common.withServices(baseURL: base.baseUrl) { services in
            let scope = try await services.apps.scope(of: app.app)
            let page = try await services.linkLists.list(
                try filter.filter(now: WallClock.system.now()), of: scope, order: sort,
                after: (before ?? after).map(Link.ID.init(rawValue:)), limit: limit)
            Output(format: common.format).list(page.links.map { services.view(of: $0) }, empty: "There are no such links.")
            if let next = page.next {
                Output.say("There may be more: go on with \(sort == .newest ? "--before" : "--after") \(next.rawValue).")
            }
        }
    }
}

struct LinksShowCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(commandName: "show", abstract: "Show a link with its data.")

    @OptionGroup var link: LinkOptions
    @OptionGroup var common: CommonOptions

    func run() async throws {
        try await common.withServices(baseURL: link.base.baseUrl) { services in
            let found = try await services.links.find(link.link)
            Output(format: common.format).show(try await services.detailedView(of: found))
        }
    }
}

struct LinksUpdateCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "update",
        abstract: "Change a link's labels, folder and data. An empty label is removed; data are merged by key.")

    @OptionGroup var link: LinkOptions
    @OptionGroup var content: LinkContentOptions
    @OptionGroup var archive: ArchiveOption
    @OptionGroup var common: CommonOptions

    func run() async throws {
        var changes = try content.changes()
        changes.isArchived = archive.isArchived
        try await common.withServices(baseURL: link.base.baseUrl) { services in
            let found = try await services.links.find(link.link)
            let updated = try await services.links.update(found.id, with: changes)
            let app = try await services.directory.app(scope: updated.scope)
            Output(format: common.format).show(
                try await services.detailedView(of: updated),
                warnings: (app?.routeWarnings(for: updated.data) ?? []) + (app?.dataWarnings(for: changes.data) ?? []))
        }
    }
}

struct LinksDeleteCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "delete", abstract: "Delete a link. Its path stays reserved, unless --free-alias is given.")

    @OptionGroup var link: LinkOptions
    @Flag(help: "Make the path available to new links; also for links that are already deleted.")
    var freeAlias = false
    @OptionGroup var confirmation: Confirmation
    @OptionGroup var common: CommonOptions

    func run() async throws {
        try await common.withServices(baseURL: link.base.baseUrl) { services in
            let found = try await services.links.find(link.link)
            let url = services.links.url(of: found)
            try confirmation.ask("Delete \(url)?")
            try await services.links.delete(found.id, freeAddress: freeAlias)
            Output(format: common.format).show(["url": .string(url), "deleted": true])
        }
    }
}

struct LinksStatsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "stats", abstract: "Show a link's totals: clicks, visits of robots, sessions and installs.")

    @OptionGroup var link: LinkOptions
    @OptionGroup var common: CommonOptions

    func run() async throws {
        try await common.withServices(baseURL: link.base.baseUrl) { services in
            let found = try await services.links.find(link.link)
            let statistics = try await services.statistics.statistics(of: found.id, in: found.scope)
            Output(format: common.format).show(statistics.view(url: services.links.url(of: found)))
        }
    }
}

extension Services {
    fileprivate func view(of link: Link) -> JSONObject { link.view(url: links.url(of: link)) }

    fileprivate func detailedView(of link: Link) async throws -> JSONObject {
        link.detailedView(
            url: links.url(of: link), app: try await directory.app(scope: link.scope), privacy: addresses.privacy)
    }
}
