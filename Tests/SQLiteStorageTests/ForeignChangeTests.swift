import Linden
import LindenKernel
import LindenServices
import LindenTesting
import LinkRouting
import RoutePatterns
import SQLiteStorage
import Testing

@Suite struct ForeignChangeTests {
    @Test func aServerSeesWithinASecondOrSoWhatAnotherProcessChanged() async throws {
        try await Installation.withFolder { folder in
            let path = folder + "/linden.db"
            try await Installation.run(path: path) { server in
                let app = try await server.createApp()
                let context = try await server.services.directory.app(branchKey: app.live.key.branchKey)
                let link = try await server.services.links.create(NewLink(alias: "pears"), for: context)
                #expect(try await server.finds("/pears"))

                try await Installation.run(path: path) { command in
                    try await command.services.links.delete(link.id)
                    #expect(try await eventually { try await !server.finds("/pears") })
                }
            }
        }
    }

    @Test func aServerSeesWhereAnotherProcessLetsALinkLead() async throws {
        try await Installation.withFolder { folder in
            let path = folder + "/linden.db"
            try await Installation.run(path: path) { server in
                let app = try await server.createApp()
                let context = try await server.services.directory.app(branchKey: app.live.key.branchKey)
                let link = try await server.services.links.create(
                    NewLink(alias: "pears", data: ["$desktop_url": "https://orchard.example.com/old"]), for: context)
                for _ in 0..<2 { #expect(try await server.target("/pears") == .web("https://orchard.example.com/old")) }

                try await Installation.run(path: path) { command in
                    _ = try await command.services.links.update(
                        link.id, with: LinkChanges(data: ["$desktop_url": "https://orchard.example.com/new"]))
                    #expect(
                        try await eventually { try await server.target("/pears") == .web("https://orchard.example.com/new") })
                    _ = try await command.services.apps.update(context.scope, settings: ["redirect_allowlist": "other.example"])
                    #expect(try await eventually { try await server.target("/pears") == .web("https://orchard.example.com") })
                }
            }
        }
    }

    @Test func aServerSeesTheRoutesThatAnotherProcessAdds() async throws {
        try await Installation.withFolder { folder in
            let path = folder + "/linden.db"
            try await Installation.run(path: path) { server in
                let app = try await server.createApp()
                func target() async throws -> String? {
                    try await server.services.directory.app(branchKey: app.live.key.branchKey).routes.match("orchard://list")?
                        .route.target
                }
                #expect(try await target() == nil)

                try await Installation.run(path: path) { command in
                    _ = try await command.services.routes.add(
                        [Route(id: "1", syntax: .waapp, pattern: "list", target: "List")], to: app.app.id)
                    #expect(try await eventually { try await target() == "List" })
                    try await command.services.routes.set("1", of: app.app.id, isEnabled: false)
                    #expect(try await eventually { try await target() == nil })
                }
            }
        }
    }

    @Test func itsOwnWritesAreNotTakenForAnothers() async throws {
        try await Installation.withFolder { folder in
            try await Installation.run(path: folder + "/linden.db") { server in
                for _ in 0..<3 {
                    _ = try await server.createApp()
                    try await Task.sleep(for: .milliseconds(600))
                }
                #expect(server.storage.foreignChanges == 0)
            }
        }
    }
}

extension Installation {
    fileprivate func finds(_ path: String) async throws -> Bool {
        let visit = Visit(host: "go.example.com", path: path, userAgent: UserAgents.desktop, address: .unknown)
        return try await services.clicks.visit(visit) != nil
    }

    /// The target of a desktop's visit.
    fileprivate func target(_ path: String) async throws -> Target? {
        let visit = Visit(host: "go.example.com", path: path, userAgent: UserAgents.desktop, address: .unknown)
        return try await services.clicks.visit(visit)?.destination.action.target
    }
}

/// Whether a condition becomes true within five seconds.
private func eventually(_ condition: () async throws -> Bool) async throws -> Bool {
    for _ in 0..<50 {
        if try await condition() { return true }
        try await Task.sleep(for: .milliseconds(100))
    }
    return false
}
