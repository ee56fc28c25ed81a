import ArgumentParser
import Configuration
import Foundation
import SQLiteStorage
import SystemPackage

/// The options of every command.
struct CommonOptions: ParsableArguments {
    @Option(
        name: .customLong("config"),
        help: ArgumentHelp(
            "A YAML file of settings, see Config/linden.yaml. Default: the environment's LINDEN_CONFIG, or "
                + "/etc/linden/linden.yaml where this user can read it.", valueName: "file"))
    var configPath: String?

    @Option(
        help: ArgumentHelp(
            "The database: sqlite: and a file, or postgres://user@host/name. Default: the setting storage.database, or "
                + "sqlite:linden.db.", valueName: "url"))
    var database: String?

    @Option(help: "The output format of results and errors.")
    var format: OutputFormat = .table

    /// Reads all settings. Options take precedence over the environment, and the environment over the file.
    func settings(flags: [String: String?] = [:]) async throws -> Settings {
        try Settings(reader: try await reader(flags: flags))
    }

    private func reader(flags: [String: String?]) async throws -> ConfigReader {
        var values: [AbsoluteConfigKey: ConfigValue] = [:]
        for (key, text) in flags.merging(["storage.database": database], uniquingKeysWith: { $1 }) {
            if let text { values[AbsoluteConfigKey(ConfigKey(key))] = ConfigValue(.string(text), isSecret: false) }
        }
        var providers: [any ConfigProvider] = [
            InMemoryProvider(name: "command line", values: values),
            EnvironmentVariablesProvider().prefixKeys(with: "linden"),
        ]
        if let path = configPath ?? ProcessInfo.processInfo.environment["LINDEN_CONFIG"] ?? Self.packagedConfig {
            if let file = try await file(path) { providers.append(file) }
        }
        return ConfigReader(providers: providers)
    }

    /// The settings file of Debian's package; nil unless this user can read it, as root and the server's user can.
    private static var packagedConfig: String? {
        let path = "/etc/linden/linden.yaml"
        return FileManager.default.isReadableFile(atPath: path) ? path : nil
    }

    private func file(_ path: String) async throws -> (any ConfigProvider)? {
        guard try SettingsFile.check(path) else { return nil }
        return try await FileProvider<YAMLSnapshot>(filePath: FilePath(path))
    }
}

enum OutputFormat: String, ExpressibleByArgument, CaseIterable {
    case table
    case json
}
