import LinkRouting

/// A customer's app: its name and how links lead into it. Its data lies apart for each ``Mode``.
package struct App: Sendable {
    package typealias ID = Identifier<App>

    package let id: ID
    package var name: String
    /// The settings of one side, see ``side(_:)``; as stored, those of the live side, among them the settings that both sides share.
    package var configuration: AppConfiguration
    /// The settings that the test side has in place of the live side's.
    package var testConfiguration: AppConfiguration
    /// Part of what signs the addresses of the app's files; a higher one revokes those of before.
    package let addressGeneration: Int64
    package let createdAt: Timestamp

    package init(
        id: ID, name: String, configuration: AppConfiguration, testConfiguration: AppConfiguration = AppConfiguration(),
        addressGeneration: Int64 = 0, createdAt: Timestamp
    ) {
        self.addressGeneration = addressGeneration
        self.id = id
        self.name = name
        self.configuration = configuration
        self.testConfiguration = testConfiguration
        self.createdAt = createdAt
    }

    /// The app with the settings that hold on one side: on the test side its own, and the live side's where it has none.
    package func side(_ mode: Mode) -> App {
        guard mode == .test else { return self }
        var app = self
        app.configuration.values.merge(testConfiguration.values.filter { name, _ in !AppSetting.isShared(name) })
        return app
    }
}

/// Live or test: each app has both, with separate keys and separate data.
package enum Mode: Int64, Sendable, CaseIterable {
    case live = 0
    case test = 1

    package var name: String { self == .live ? "live" : "test" }
}

/// One side of one app. Everything that is stored belongs to exactly one scope.
package struct Scope: Sendable, Hashable {
    package let app: App.ID
    package let mode: Mode

    package init(app: App.ID, mode: Mode) {
        self.app = app
        self.mode = mode
    }
}
