import Linden
import LindenKernel
import LindenReporting
import LindenServices
import LindenTesting
import LinkRouting
import SQLStorage
import SQLiteStorage
import Testing

extension Click {
    static func pending(_ id: Click.ID, window: Int64) -> Click {
        Click(
            id: id, link: Link.ID(rawValue: 2), scope: Scope(app: Identifier(rawValue: 1), mode: .live),
            visitor: Visitor(platform: .iOS, os: "iOS", osVersion: "18.6"), address: "203.0.113.7", userAgent: "Browser/1",
            referrer: nil, query: nil, reason: nil, matchSeconds: window)
    }
}

extension Installation {
    /// Inserts a pending click.
    func pendingClick(window: Int64) async throws -> Click {
        try await storage.write { transaction in
            let click = Click.pending(try transaction.newID(), window: window)
            try transaction.insert(click)
            return click
        }
    }

    @discardableResult
    func claim(_ click: Click) async throws -> Bool {
        try await storage.write { try $0.claim(click.id) }
    }

    func pendingClicks(like click: Click) async throws -> [Click.ID] {
        let fingerprint = try #require(click.fingerprint)
        return try await storage.read { try $0.pendingClicks(fingerprint, limit: 16).map(\.click) }
    }
}
