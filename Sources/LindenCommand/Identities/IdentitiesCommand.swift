import ArgumentParser
import Linden

struct IdentitiesCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "identities", abstract: "Show, export and erase what is stored about a user.",
        subcommands: [IdentitiesShowCommand.self, IdentitiesExportCommand.self, IdentitiesEraseCommand.self])
}

/// The identity that a command applies to.
struct IdentityOptions: ParsableArguments {
    @Argument(help: "The user: your own id, or the identity token of the SDK.")
    var identity: String
    @OptionGroup var app: AppOption
}

struct IdentitiesShowCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "show", abstract: "Show a user's devices, first and last session, and totals.")

    @OptionGroup var user: IdentityOptions
    @OptionGroup var common: CommonOptions

    func run() async throws {
        try await common.withServices { services in
            let identity = try await services.identity(user)
            let summary = try await services.people.summary(of: identity)
            Output(format: common.format).show([
                "identity_id": .string(services.publicIDs.string(for: identity.id)),
                "developer_identity": JSON(identity.developerIdentity),
                "created_at": .string(identity.id.time.iso8601),
                "devices": .array(summary.devices.map { .object(services.row($0)) }),
                "first_session": services.session(summary.firstSession),
                "last_session": services.session(summary.lastSession),
                "sessions": JSON(summary.sessions),
                "events": JSON(summary.events),
                "links": JSON(summary.links),
                "referred_installs": .integer(summary.referredInstalls),
            ])
        }
    }
}

struct IdentitiesEraseCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "erase", abstract: "Erase a user with all devices, sessions and events. Totals are kept.",
        discussion: """
            The user's clicks are kept without personal data, and links that the user created without an owner. Documentation/privacy.md \
            lists what is deleted and what is kept. Earlier backups still contain everything.
            """)

    @OptionGroup var user: IdentityOptions
    @OptionGroup var confirmation: Confirmation
    @OptionGroup var common: CommonOptions

    func run() async throws {
        try await common.withServices { services in
            let identity = try await services.identity(user)
            let name = identity.developerIdentity ?? services.publicIDs.string(for: identity.id)
            try confirmation.ask("Erase the user \(name) with all devices, sessions and events permanently?")
            let progress = Progress()
            let erased = try await services.people.erase(identity) { progress.show($0) }
            progress.clear()
            Output(format: common.format).show([
                "erased": true,
                "identity_id": .string(services.publicIDs.string(for: identity.id)),
                "identities": JSON(erased.identities),
                "devices": JSON(erased.devices),
                "sessions": JSON(erased.sessions),
                "events": JSON(erased.events),
                "clicks": JSON(erased.clicks),
                "text_messages": JSON(erased.textMessages),
                "links": JSON(erased.links),
            ])
            Output.say("Backups made before still hold this user.")
            if !erased.isLogEmpty {
                Output.say("The database's log (-wal) was being read and still holds this user until the server moves it.")
            }
        }
    }
}

extension Services {
    func identity(_ user: IdentityOptions) async throws -> Identity {
        try await people.identity(user.identity, in: try await apps.context(user.app.app).scope)
    }

    fileprivate func row(_ device: Device) -> JSONObject {
        [
            "device_id": .string(publicIDs.string(for: device.id)), "browser": .bool(device.isBrowser),
            "os": JSON(device.description.os), "model": JSON(device.description.model),
            "hardware_id": JSON(device.description.hardwareID), "advertising_id": JSON(device.description.advertisingID),
        ]
    }

    fileprivate func session(_ id: Session.ID?) -> JSON {
        guard let id else { return .null }
        return ["session_id": .string(publicIDs.string(for: id)), "started_at": .string(id.time.iso8601)]
    }
}
