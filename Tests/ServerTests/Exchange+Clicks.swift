import Foundation
import HTTPTypes
import Linden
import LindenKernel
import LindenServices
import LindenTesting
import LinkRouting
import MaxMindDB
import SQLStorage
import SQLiteStorage
import Testing

extension Exchange {
    /// The click whose id the page passes to the app.
    func click(_ answer: Answer) async throws -> Click {
        let text = try #require(answer.linkClickID)
        let id: Click.ID = try #require(services.publicIDs.id(for: text))
        return try #require(try await installation.storage.read { try $0.click(id) })
    }

    /// The newest click.
    func lastClick() async throws -> Click {
        let click = try await installation.storage.read { reader in
            try (reader as! SQLTransaction).connection.first("SELECT MAX(id) FROM clicks") { $0.id(0) }.flatMap(reader.click)
        }
        return try #require(click)
    }
}
