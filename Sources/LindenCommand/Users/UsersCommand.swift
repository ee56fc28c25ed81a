import ArgumentParser
import Linden
import LindenAPI
import LindenKernel
import LindenServices

struct UsersCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "users",
        abstract: "Create, list, reset and disable the users of the dashboard.",
        subcommands: [
            UsersCreateCommand.self, UsersListCommand.self, UsersResetCommand.self, UsersDisableCommand.self,
            UsersEnableCommand.self,
        ])
}

extension DashboardUser.Role: ExpressibleByArgument {}

/// The user that a command applies to.
struct UserOption: ParsableArguments {
    @Argument(help: "The user's name, in upper or lower case.")
    var name: String
}

struct UsersCreateCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "create",
        abstract: "Create a user of the dashboard. The address for setting a password is shown only once.",
        discussion: """
            Give the address to the user alone: with it the password is set. It is valid for 7 days, and once. \
            A new one: linden users reset NAME.
            """)

    @Argument(help: "The name to sign in with, such as an e-mail address.")
    var name: String
    @Option(
        help: """
            admin: may read and change everything; editor: may read everything, change links and share figures; analyst: may read totals, reports and \
            links; support: may look up links, sessions and users of an app.
            """)
    var role: DashboardUser.Role
    @Option(help: ArgumentHelp("Limits the user to one app: a key or an id. Default: all apps.", valueName: "key"))
    var app: String?
    @OptionGroup var base: BaseURLOption
    @OptionGroup var common: CommonOptions

    func run() async throws {
        try await common.withServices(baseURL: base.baseUrl) { services in
            var id: App.ID?
            if let app { id = try await services.apps.scope(of: app).app }
            let (user, secret) = try await services.dashboardUsers.create(name: name, role: role, app: id)
            let address = try await common.settings().dashboard.baseURL(services.baseURL)
            Output(format: common.format).show(user.view(settingUpWith: secret, on: address))
        }
    }
}

struct UsersListCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(commandName: "list", abstract: "List all users of the dashboard.")

    @OptionGroup var common: CommonOptions

    func run() async throws {
        try await common.withServices { services in
            let users = try await services.dashboardUsers.list()
            Output(format: common.format).list(
                users.map(\.view), empty: "There are no users: linden users create NAME --role admin")
        }
    }
}

struct UsersResetCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "reset",
        abstract: "Remove a user's password and end all sessions. The address for setting a new password is shown only once.",
        discussion: "The address is valid for 7 days, and once. An earlier one is no longer valid.")

    @OptionGroup var user: UserOption
    @OptionGroup var base: BaseURLOption
    @OptionGroup var common: CommonOptions

    func run() async throws {
        try await common.withServices(baseURL: base.baseUrl) { services in
            let found = try await services.dashboardUsers.find(user.name)
            let (user, secret) = try await services.dashboardUsers.reset(found.id)
            let address = try await common.settings().dashboard.baseURL(services.baseURL)
            Output(format: common.format).show(user.view(settingUpWith: secret, on: address))
        }
    }
}

struct UsersDisableCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "disable", abstract: "Keep a user from signing in, and end all sessions. The password is kept.")

    @OptionGroup var user: UserOption
    @OptionGroup var common: CommonOptions

    func run() async throws {
        try await common.withServices { services in
            let found = try await services.dashboardUsers.find(user.name)
            Output(format: common.format).show(try await services.dashboardUsers.disable(found.id).view)
        }
    }
}

struct UsersEnableCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "enable",
        abstract: "Let a disabled user sign in again. A user who was disabled before setting a password needs linden users reset.")

    @OptionGroup var user: UserOption
    @OptionGroup var common: CommonOptions

    func run() async throws {
        try await common.withServices { services in
            let found = try await services.dashboardUsers.find(user.name)
            Output(format: common.format).show(try await services.dashboardUsers.enable(found.id).view)
        }
    }
}
