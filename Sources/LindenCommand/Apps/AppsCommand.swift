import ArgumentParser
import Linden
import LindenAPI
import LindenKernel
import LindenServices

struct AppsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "apps",
        abstract: "Create, show, change and delete apps, list their settings, and replace their keys and secrets.",
        subcommands: [
            AppsCreateCommand.self, AppsListCommand.self, AppsShowCommand.self, AppsUpdateCommand.self, AppsDeleteCommand.self,
            AppsSettingsCommand.self, AppsRotateSecretCommand.self, AppsRotateKeyCommand.self, AppsEndSecretCommand.self,
            AppsEndKeyCommand.self, AppsRevokeURLsCommand.self,
        ])
}

/// App settings as command-line options.
struct AppSettingOptions: ParsableArguments {
    @Option(help: ArgumentHelp("The iOS app's URI scheme, such as myapp.", valueName: "scheme"))
    var iosUriScheme: String?
    @Option(help: ArgumentHelp("The iOS app's bundle id, such as com.example.app.", valueName: "id"))
    var iosBundleId: String?
    @Option(help: ArgumentHelp("The Apple team id, such as ABCDE12345.", valueName: "id"))
    var iosTeamId: String?
    @Option(help: ArgumentHelp("The app's number in the App Store, such as 123456789 or id123456789.", valueName: "id"))
    var iosAppStoreId: String?
    @Option(help: ArgumentHelp("The Android app's URI scheme, such as myapp.", valueName: "scheme"))
    var androidUriScheme: String?
    @Option(help: ArgumentHelp("The Android app's package name, such as com.example.app.", valueName: "name"))
    var androidPackage: String?
    @Option(help: ArgumentHelp("The SHA-256 fingerprint of the Android signing certificate; repeat for several.", valueName: "hex"))
    var androidSha256: [String] = []
    @Option(help: ArgumentHelp("The web address for visitors without a more specific target (web_url).", valueName: "url"))
    var defaultUrl: String?
    @Option(
        help: ArgumentHelp(
            "What to do with links whose deep link path matches none of the app's routes: off (accept), warn or reject.",
            valueName: "what"))
    var routesValidation: String?

    @Option(
        help: ArgumentHelp(
            "Any setting by its name, such as 'redirect_allowlist=example.com, *.example.com'; repeat for several. linden apps settings "
                + "lists them.",
            valueName: "name=value"))
    var set: [Assignment] = []

    /// A setting given as `name=value`.
    struct Assignment: ExpressibleByArgument {
        let name: String
        let value: String

        init?(argument: String) {
            guard let equals = argument.firstIndex(of: "="), equals > argument.startIndex else { return nil }
            name = String(argument[..<equals])
            value = String(argument[argument.index(after: equals)...])
        }
    }

    /// Rejects names that no setting has, which are likely misspelled. An unknown name with an empty value is accepted: it removes a stored
    /// setting.
    func validate() throws {
        for assignment in set where !assignment.value.isEmpty {
            do {
                try AppSetting.requireKnown(assignment.name)
            } catch let failure as Failure {
                throw ValidationError(failure.message + " linden apps settings lists them all.")
            }
        }
    }

    /// The given settings under Branch's names. An option that was not given is absent; an empty one is null, which removes the setting.
    var settings: JSONObject {
        var settings = JSONObject()
        for (key, value) in [
            ("ios_uri_scheme", iosUriScheme), ("ios_bundle_id", iosBundleId), ("ios_team_id", iosTeamId),
            ("ios_app_store_id", iosAppStoreId), ("android_uri_scheme", androidUriScheme),
            ("android_package_name", androidPackage), ("web_url", defaultUrl), ("routes.validation", routesValidation),
        ] {
            if let value { settings[key] = value.isEmpty ? .null : .string(value) }
        }
        for assignment in set { settings[assignment.name] = assignment.value.isEmpty ? .null : .string(assignment.value) }
        if !androidSha256.isEmpty {
            settings["sha256_cert_fingerprints"] = androidSha256 == [""] ? .null : JSON(androidSha256)
        }
        return settings
    }
}

struct AppsCreateCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "create", abstract: "Create an app with live and test keys. Its secrets are shown only once.")

    @Argument(help: "The app's name.")
    var name: String
    @OptionGroup var settings: AppSettingOptions
    @Option(
        help: ArgumentHelp(
            "The host of the app's live links, such as go.example.com. Default: the base URL's host.", valueName: "host"))
    var domain: String?
    @OptionGroup var common: CommonOptions

    func run() async throws {
        try await common.withServices(creates: true) { services in
            let created = try await services.apps.create(NewApp(name: name, settings: settings.settings, domain: domain))
            Output(format: common.format).show(created.view(standardHost: services.baseURL.host))
            if let host = created.domain {
                try await services.domains.remarkOnSharing(Domain(host: host, scope: created.live.key.scope))
            }
        }
    }
}

struct AppsListCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(commandName: "list", abstract: "List all apps.")

    @OptionGroup var common: CommonOptions

    func run() async throws {
        try await common.withServices { services in
            let apps = try await services.apps.list()
            Output(format: common.format).list(apps.map(\.view), empty: "There are no apps yet: linden apps create NAME")
        }
    }
}

struct AppsShowCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(commandName: "show", abstract: "Show an app and its settings.")

    @Argument(help: "One of the app's keys, or its id.")
    var app: String
    @OptionGroup var common: CommonOptions

    func run() async throws {
        try await common.withServices { services in
            Output(format: common.format).show(try await services.apps.show(app).detailedView)
        }
    }
}

struct AppsUpdateCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "update", abstract: "Change an app's name or settings; an empty value removes a setting.",
        discussion: """
            With the live key or the id, changes the live settings, which also apply in test mode unless overridden there. With the test key, \
            changes the overrides of test mode. Settings that both modes share, such as those of credits, are changed with the live key only; \
            `linden apps settings` marks them.
            """)

    @Argument(help: "One of the app's keys, or its id.")
    var app: String
    @Option(help: "A new name.")
    var name: String?
    @OptionGroup var settings: AppSettingOptions
    @OptionGroup var common: CommonOptions

    func run() async throws {
        try await common.withServices { services in
            let scope = try await services.apps.scope(of: app)
            _ = try await services.apps.update(scope, name: name, settings: settings.settings)
            Output(format: common.format).show(try await services.apps.show(app).detailedView)
        }
    }
}

struct AppsDeleteCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "delete",
        abstract: "Delete an app. Its keys are refused, its links stop working, and its domains become free.",
        discussion: "What is stored about its users stays until they are erased, by `linden identities erase` with the app's id.")

    @Argument(help: "One of the app's keys, or its id.")
    var app: String
    @OptionGroup var confirmation: Confirmation
    @OptionGroup var common: CommonOptions

    func run() async throws {
        try await common.withServices { services in
            let found = try await services.apps.context(app).app
            try confirmation.ask("Delete the app \(found.name), its keys and its links?")
            try await services.apps.delete(found.id)
            Output(format: common.format).show(["app_id": .string(String(found.id.rawValue)), "deleted": true])
        }
    }
}
