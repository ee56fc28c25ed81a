import LindenKernel
import LinkRouting

/// A customer's app: its name and its settings. Data is kept separately for each ``Mode``.
package struct App: Sendable {
    package typealias ID = Identifier<App>

    package let id: ID
    package var name: String
    /// The settings of one side, see ``side(_:)``. In the stored app: the live side's, including the settings that both sides share.
    package var configuration: AppConfiguration
    /// The settings that override the live side's on the test side.
    package var testConfiguration: AppConfiguration
    /// A part of the signature of the app's file URLs. Incrementing it revokes all URLs signed before.
    package let urlGeneration: Int64
    package let createdAt: Timestamp

    package init(
        id: ID, name: String, configuration: AppConfiguration, testConfiguration: AppConfiguration = AppConfiguration(),
        urlGeneration: Int64 = 0, createdAt: Timestamp
    ) {
        self.urlGeneration = urlGeneration
        self.id = id
        self.name = name
        self.configuration = configuration
        self.testConfiguration = testConfiguration
        self.createdAt = createdAt
    }

    /// Returns the app with the settings in effect on one side. On the test side, its own settings override the live side's, except for
    /// shared ones.
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

/// One side of one app. Every stored row belongs to exactly one scope.
package struct Scope: Sendable, Hashable {
    package let app: App.ID
    package let mode: Mode

    package init(app: App.ID, mode: Mode) {
        self.app = app
        self.mode = mode
    }
}
