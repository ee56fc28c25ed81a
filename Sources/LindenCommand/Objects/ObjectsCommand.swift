import ArgumentParser
import Linden

struct ObjectsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "objects",
        abstract: "Tell what is known of an app's content and what came of it.",
        subcommands: [ObjectsListCommand.self, ObjectsShowCommand.self, ObjectsTopCommand.self])
}

struct ObjectsListCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "List an app's content, the last made first, with its figures of all time.")

    @OptionGroup var app: AppOption
    @Option(help: "How many to list.")
    var limit = 50
    @Option(help: ArgumentHelp("Only what was made before this object: the next page.", valueName: "id"))
    var before: Int64?
    @OptionGroup var common: CommonOptions

    func validate() throws { try checkLimit(limit) }

    func run() async throws {
        try await common.withServices { services in
            let figures = try await services.objects.list(
                services.apps.context(app.app).scope, before: before.map(UniversalObject.ID.init(rawValue:)), limit: limit)
            Output(format: common.format).list(figures.map(row), empty: "The app has no content yet: links and events name it.")
        }
    }
}

struct ObjectsShowCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(commandName: "show", abstract: "Show a piece of content and its figures.")

    @Argument(help: "Its canonical identifier or, if it has none, its canonical URL.")
    var identifier: String
    @OptionGroup var app: AppOption
    @OptionGroup var span: DaySpan
    @OptionGroup var common: CommonOptions

    func run() async throws {
        try await common.withServices { services in
            let figures = try await services.objects.show(
                identifier, in: services.apps.context(app.app).scope, on: span.days())
            var members = row(figures)
            members["data"] = .object(figures.object.data)
            Output(format: common.format).show(members)
        }
    }
}

struct ObjectsTopCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "top", abstract: "List the content of which there was most.",
        discussion: "Days are those of UTC, and the last one counts too. conversion is purchases per view.")

    @OptionGroup var app: AppOption
    @Option(help: "By what: views, shares, clicks, purchases or revenue.")
    var by: ObjectMeasure = .views
    @OptionGroup var span: DaySpan
    @Option(help: "How many to list.")
    var limit = 20
    @OptionGroup var common: CommonOptions

    func validate() throws { try checkLimit(limit) }

    func run() async throws {
        try await common.withServices { services in
            let figures = try await services.objects.top(
                services.apps.context(app.app).scope, by: by, on: span.days(), limit: limit)
            Output(format: common.format).list(figures.map(row), empty: "There are no \(by.rawValue) of the app's content then.")
        }
    }
}

extension ObjectMeasure: ExpressibleByArgument {}

private func checkLimit(_ limit: Int) throws {
    guard (1...10_000).contains(limit) else { throw ValidationError("--limit must be from 1 to 10000.") }
}

private func row(_ figures: ObjectService.Figures) -> JSONObject {
    let (object, statistics) = figures
    return [
        "id": .string(String(object.id.rawValue)), "canonical_identifier": .string(object.canonicalIdentifier),
        "title": JSON(object.data["$og_title"]?.scalarText), "views": .integer(statistics.views),
        "shares": .integer(statistics.shares), "clicks": .integer(statistics.clicks),
        "purchases": .integer(statistics.purchases),
        "revenue": .decimal(statistics.revenue.text),
        "conversion": statistics.conversion.map { .decimal(String($0)) } ?? .null,
    ]
}
