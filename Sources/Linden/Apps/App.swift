import LinkRouting

/// A customer's app: its name and how links lead into it. Its data lies apart for each ``Mode``.
package struct App: Sendable {
    package typealias ID = Identifier<App>

    package let id: ID
    package var name: String
    package var configuration: AppConfiguration
    package let createdAt: Timestamp

    package init(id: ID, name: String, configuration: AppConfiguration, createdAt: Timestamp) {
        self.id = id
        self.name = name
        self.configuration = configuration
        self.createdAt = createdAt
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
