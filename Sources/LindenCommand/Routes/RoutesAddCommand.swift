import ArgumentParser
import Linden
import LindenAPI
import LindenServices
import RoutePatterns

struct RoutesAddCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "add",
        abstract: "Add a route to an app, as the last or before another one. The first match is used.",
        discussion: """
            A filter of Roots:
              linden routes add --app KEY --syntax roots --key al:ios:url --target Profile 'myapp://*/user/{id}'
            A path of WAAppRouting:
              linden routes add --app KEY --syntax waapp --target Detail 'list/:id'
            A registration string of WAAppRouting, without --target: a route for each component with a class. Existing \
            routes for the same screen are kept.
              linden routes add --app KEY --syntax waapp 'list{List}/:id{Detail}!'
            """)

    @OptionGroup var app: AppOption
    @Option(help: "The language of the pattern: roots or waapp.")
    var syntax: Route.Syntax
    @Option(help: "With roots, the App Links key that the filter applies to: al:ios:url, al:android:url or al:web:url.")
    var key: String?
    @Option(help: ArgumentHelp("The name of the screen in the app.", valueName: "name"))
    var target: String?
    @Option(help: "The route's id. Default: a number. With a registration string, the ids are ID-1, ID-2 and so on.")
    var id: String?
    @Option(help: ArgumentHelp("The id of the route before which the new one is inserted. Default: after all.", valueName: "id"))
    var before: String?
    @Flag(help: "Present the screen modally.")
    var modal = false
    @Flag(help: "Add the route switched off.")
    var disabled = false
    @Option(
        name: .customLong("default"),
        help: ArgumentHelp("A default value of a parameter; repeat for several.", valueName: "name=value"))
    var defaults: [String] = []
    @Argument(help: "The pattern, or the registration string.")
    var pattern: String
    @OptionGroup var common: CommonOptions

    func validate() throws {
        if id == "" { throw ValidationError("--id must not be empty.") }
        if target == nil, syntax == .roots { throw ValidationError("--syntax roots requires --target.") }
        if target == nil, modal {
            throw ValidationError("--modal requires --target; in a registration string, a ! after a class means modal.")
        }
        _ = try parameters()
    }

    func run() async throws {
        let routes = try routes()
        try await common.withServices { services in
            let added = try await services.routes.add(
                routes, to: services.apps.scope(of: app.app).app, before: before, ignoringRepeats: target == nil)
            let output = Output(format: common.format)
            if target == nil {
                output.list(added.map(\.view), empty: "All of it is registered already.")
            } else {
                added.map(\.view).forEach(output.show)
            }
        }
    }

    private func routes() throws -> [Route] {
        let defaults = try parameters()
        if let target {
            return [
                Route(
                    id: id ?? "", syntax: syntax, key: key.map(AppLinkKey.init(rawValue:)), pattern: pattern, target: target,
                    isModal: modal, isEnabled: !disabled, defaults: defaults)
            ]
        }
        return try Route.registered(by: pattern, id: id).map { route in
            var route = route
            route.key = key.map(AppLinkKey.init(rawValue:))
            route.isEnabled = !disabled
            route.defaults = defaults
            return route
        }
    }

    private func parameters() throws -> [String: RouteValue] {
        try defaults.reduce(into: [:]) { parameters, text in
            guard let equals = text.firstIndex(of: "="), equals > text.startIndex else {
                throw ValidationError("--default must be name=value, not \"\(text)\".")
            }
            parameters[String(text[..<equals])] = .text(String(text[text.index(after: equals)...]))
        }
    }
}

extension Route.Syntax: ExpressibleByArgument {}
