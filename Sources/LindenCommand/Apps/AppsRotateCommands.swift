import ArgumentParser
import Linden
import LindenAPI
import LindenKernel
import LindenServices

struct AppsRotateSecretCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "rotate-secret", abstract: "Give an app a new secret. It is shown only once.",
        discussion: """
            The former secret is also accepted until the overlap ends, so that servers can be updated one by one; `linden apps end-secret` \
            ends it earlier. With an overlap of 0 it ends at once, and the signed URLs of exports end with it.
            """)

    @OptionGroup var rotation: Rotation
    @Option(
        help: ArgumentHelp(
            "How long the former secret is accepted: a duration such as 30d, 12h or 0, forever, or an end date or time.",
            valueName: "time"))
    var overlap = RotationOverlap.standardOfSecrets

    func run() async throws {
        let question = { (side: String) in "Refuse the former secret of \(side) from now on?" }
        try await rotation.run(overlap, question) { services, scope, overlap in
            let (secret, end) = try await services.keyRotation.rotateSecret(of: scope, overlap: overlap)
            return scope.secretView(secret, formerEndsAt: end)
        }
    }
}

struct AppsRotateKeyCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "rotate-key", abstract: "Give an app a new key. Its links and its secret do not change.",
        discussion: """
            The former key, which installed versions of the app use, is accepted until the overlap ends: by default until \
            `linden apps end-key`. Links with the former key in their address continue to work.
            """)

    @OptionGroup var rotation: Rotation
    @Option(
        help: ArgumentHelp(
            "How long the former key is accepted: a duration such as 30d, 12h or 0, forever, or an end date or time.",
            valueName: "time"))
    var overlap = RotationOverlap.standardOfKeys

    func run() async throws {
        let question = { (side: String) in
            "Installed versions of the app stop working. Refuse calls with the former key of \(side) from now on?"
        }
        try await rotation.run(overlap, question) { services, scope, overlap in
            let (key, former) = try await services.keyRotation.rotateKey(of: scope, overlap: overlap)
            return scope.keyView(key, former: former)
        }
    }
}

/// The arguments of a command that replaces the branch key or the secret of an app in one mode.
struct Rotation: ParsableArguments {
    @Argument(help: "One of the app's keys, or its id for the live side.")
    var app: String
    @OptionGroup var confirmation: Confirmation
    @OptionGroup var common: CommonOptions

    /// Rotates the key or secret and prints the result. Asks for confirmation if there is no overlap.
    ///
    /// - Parameters:
    ///   - question: the confirmation's text, given the app's name and mode.
    ///   - rotate: replaces the credential and returns what to print.
    fileprivate func run(
        _ overlap: String, _ question: (_ side: String) -> String,
        _ rotate: @Sendable (Services, Scope, RotationOverlap) async throws -> JSONObject
    ) async throws {
        let overlap = try RotationOverlap(overlap)
        try await common.withServices { services in
            let found = try await services.apps.context(app)
            let scope = found.scope
            if overlap.isNone { try confirmation.ask(question("\(found.app.name) (\(scope.mode.name))")) }
            Output(format: common.format).show(try await rotate(services, scope, overlap))
        }
    }
}

struct AppsEndSecretCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "end-secret",
        abstract: "End an app's former secrets now, and revoke the signed URLs of its exports.")

    @Argument(help: "One of the app's keys, or its id for the live side.")
    var app: String
    @OptionGroup var confirmation: Confirmation
    @OptionGroup var common: CommonOptions

    func run() async throws {
        try await common.withServices { services in
            let found = try await services.apps.context(app)
            try confirmation.ask("End the former secrets of \(found.app.name) (\(found.scope.mode.name))?")
            let count = try await services.keyRotation.endFormerSecrets(of: found.scope)
            Output(format: common.format).show(found.scope.endedSecretsView(count))
        }
    }
}

struct AppsEndKeyCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "end-key", abstract: "Refuse calls with a replaced key from now on. Its links continue to work.")

    @Argument(help: "The former key.")
    var key: String
    @OptionGroup var confirmation: Confirmation
    @OptionGroup var common: CommonOptions

    func run() async throws {
        try await common.withServices { services in
            let name = try await services.apps.context(key).app.name
            try confirmation.ask(
                "Refuse calls with the key \(key) of \(name)? Installed versions of the app with this key stop working.")
            let ended = try await services.keyRotation.endKey(key)
            Output(format: common.format).show(ended.endedView)
        }
    }
}

struct AppsRevokeURLsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "revoke-urls",
        abstract: "Revoke the signed URLs of an app's exports, reports and personal data.",
        discussion:
            "A signed URL gives access for seven days. The jobs are kept; their status calls return new URLs."
    )

    @Argument(help: "One of the app's keys, or its id.")
    var app: String
    @OptionGroup var confirmation: Confirmation
    @OptionGroup var common: CommonOptions

    func run() async throws {
        try await common.withServices { services in
            let found = try await services.apps.context(app).app
            try confirmation.ask("Revoke all signed URLs of files of \(found.name)?")
            try await services.keyRotation.revokeSignedURLs(of: found.id)
            Output(format: common.format).show(["app_id": .string(String(found.id.rawValue)), "revoked": true])
        }
    }
}
