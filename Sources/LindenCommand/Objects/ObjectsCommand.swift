import ArgumentParser
import Linden
import LindenAPI
import LindenKernel
import LindenServices

struct ObjectsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "objects",
        abstract: "Show an app's content (Branch Universal Objects) and how often it is viewed, shared, clicked and bought.",
        subcommands: [ObjectsListCommand.self, ObjectsShowCommand.self, ObjectsTopCommand.self])
}

struct ObjectsListCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "List an app's content with its totals, newest first.")

    @OptionGroup var app: AppOption
    @Option(help: "How many to list, 1 to 10000.")
    var limit = 50
    @Option(help: ArgumentHelp("Only content older than this id: the next page.", valueName: "id"))
    var before: Int64?
    @OptionGroup var common: CommonOptions

    func validate() throws { try check(limit: limit, atMost: 10_000) }

    func run() async throws {
        try await common.withServices { services in
            let figures = try await services.objects.list(
                services.apps.scope(of: app.app), before: before.map(UniversalObject.ID.init(rawValue:)), limit: limit)
            Output(format: common.format).list(
                figures.map { $0.object.view($0.statistics) }, empty: "The app has no content yet: links and events name it.")
        }
    }
}

struct ObjectsShowCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(commandName: "show", abstract: "Show one piece of content and its totals.")

    @Argument(help: "The content's canonical identifier or, if it has none, its canonical URL.")
    var identifier: String
    @OptionGroup var app: AppOption
    @OptionGroup var span: DaySpan
    @OptionGroup var common: CommonOptions

    func run() async throws {
        try await common.withServices { services in
            let figures = try await services.objects.show(
                identifier, in: services.apps.scope(of: app.app), on: span.days())
            Output(format: common.format).show(figures.object.detailedView(figures.statistics))
        }
    }
}

struct ObjectsTopCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "top", abstract: "List the content with the most views, shares, clicks, purchases or revenue.",
        discussion: "conversion is purchases per view.")

    @OptionGroup var app: AppOption
    @Option(help: "The measure to rank by: views, shares, clicks, purchases or revenue.")
    var by: ObjectMeasure = .views
    @OptionGroup var span: DaySpan
    @Option(help: "How many to list, 1 to 10000.")
    var limit = 20
    @OptionGroup var common: CommonOptions

    func validate() throws { try check(limit: limit, atMost: 10_000) }

    func run() async throws {
        try await common.withServices { services in
            let figures = try await services.objects.top(
                services.apps.scope(of: app.app), by: by, on: span.days(), limit: limit)
            Output(format: common.format).list(
                figures.map { $0.object.view($0.statistics) }, empty: "There are no \(by.rawValue) of the app's content then.")
        }
    }
}

extension ObjectMeasure: ExpressibleByArgument {}
