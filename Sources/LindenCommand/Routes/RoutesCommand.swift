import ArgumentParser
import Linden
import LindenAPI
import LindenKernel
import LindenServices
import LinkRouting
import RoutePatterns

struct RoutesCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "routes",
        abstract: "Manage and test an app's routes, which map URLs to screens.",
        subcommands: [
            RoutesAddCommand.self, RoutesListCommand.self, RoutesRemoveCommand.self, RoutesEnableCommand.self,
            RoutesDisableCommand.self, RoutesTestCommand.self, RoutesMatchCommand.self,
        ])
}

struct RoutesListCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "List an app's routes in the order in which they are tried.")

    @OptionGroup var app: AppOption
    @OptionGroup var common: CommonOptions

    func run() async throws {
        try await common.withServices { services in
            let routes = try await services.routes.list(services.apps.scope(of: app.app).app)
            Output(format: common.format).list(routes.map(\.view), empty: "The app has no routes: linden routes add --help")
        }
    }
}

struct RoutesRemoveCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(commandName: "remove", abstract: "Remove a route from an app.")

    @OptionGroup var route: RouteReference
    @OptionGroup var confirmation: Confirmation
    @OptionGroup var common: CommonOptions

    func run() async throws {
        try await common.withServices { services in
            let app = try await services.apps.context(route.app.app).app
            let found = try await services.routes.route(route.id, of: app.id)
            try confirmation.ask("Remove the route \(route.id) of \(app.name), \(found.pattern)?")
            try await services.routes.remove(route.id, from: app.id)
            Output(format: common.format).show(["id": .string(route.id), "removed": true])
        }
    }
}

struct RoutesEnableCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(commandName: "enable", abstract: "Switch a route on.")

    @OptionGroup var route: RouteReference
    @OptionGroup var common: CommonOptions

    func run() async throws {
        try await route.set(isEnabled: true, common)
    }
}

struct RoutesDisableCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "disable", abstract: "Switch a route off. It keeps its place in the order.")

    @OptionGroup var route: RouteReference
    @OptionGroup var common: CommonOptions

    func run() async throws {
        try await route.set(isEnabled: false, common)
    }
}

/// The route that a command applies to.
struct RouteReference: ParsableArguments {
    @Argument(help: "The route's id, as linden routes list shows it.")
    var id: String
    @OptionGroup var app: AppOption

    fileprivate func set(isEnabled: Bool, _ common: CommonOptions) async throws {
        try await common.withServices { services in
            try await services.routes.set(id, of: services.apps.scope(of: app.app).app, isEnabled: isEnabled)
            Output(format: common.format).show(["id": .string(id), "enabled": .bool(isEnabled)])
        }
    }
}

struct RoutesTestCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "test",
        abstract: "Show the route of an app that matches a URL, and its parameters.",
        discussion: """
            parameters: the values that the pattern captured. merged: with the URL's query (WAAppRouting) and the route's defaults. The exit \
            status is 0 whether or not a route matches; matched says whether one does.
            """)

    @OptionGroup var app: AppOption
    @Argument(help: "The URL that the app receives, such as myapp://user/5.")
    var url: String
    @Option(help: "The platform: ios, android or desktop.")
    var platform: Platform = .iOS
    @OptionGroup var common: CommonOptions

    func run() async throws {
        try await common.withServices { services in
            let routes = try await services.apps.context(app.app).routes
            Output(format: common.format).show(RouteTrial(url, on: platform, routes: routes).view)
        }
    }
}

extension Platform: ExpressibleByArgument {}
