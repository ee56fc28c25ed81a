import Linden
import LindenKernel
import LindenServices
import LindenTesting
import SQLiteStorage
import Testing

@Suite struct AppSettingsTests {
    @Test func aTransactionReadsTheSettingsThatItWroteAndLaterOnesThoseThatWereCommitted() async throws {
        try await Installation.run { installation in
            let id = try await installation.createApp().live.key.scope.app
            #expect(try await title(of: id, installation) == nil)
            await #expect(throws: CancellationError.self) {
                try await installation.storage.write { transaction in
                    var app = try #require(try transaction.app(id))
                    app.configuration = try app.configuration.merging(["og_title": "Pears"])
                    try transaction.update(app, at: transaction.now)
                    #expect(try transaction.app(id)?.configuration.values["og_title"] == "Pears")
                    throw CancellationError()
                }
            }
            #expect(try await title(of: id, installation) == nil)
        }
    }

    @Test func settingsThatDifferOnlyInTheirUnicodeFormAreDistinguished() async throws {
        try await Installation.run { installation in
            let scope = try await installation.createApp().live.key.scope
            for title in ["Caf\u{E9}", "Cafe\u{301}", "Caf\u{E9}"] {
                _ = try await installation.services.apps.update(scope, settings: ["og_title": .string(title)])
                #expect(try await self.title(of: scope.app, installation)?.utf8.elementsEqual(title.utf8) == true)
            }
        }
    }

    private func title(of app: App.ID, _ installation: Installation) async throws -> String? {
        try await installation.storage.read { try $0.app(app)?.configuration.values["og_title"]?.string }
    }
}
