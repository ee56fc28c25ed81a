import Linden
import LindenKernel
import LindenReporting
import LindenServices
import LindenTesting
import Testing

/// What a server says about itself.
@Suite struct SystemServiceTests {
    private static func service(_ installation: Installation, _ files: ServerFiles = ServerFiles()) throws -> SystemService {
        SystemService(
            storage: installation.services.storage, clock: installation.clock.clock, retention: try Retention(days: [.clicks: 100]),
            minimumFreeBytes: 1, freeBytes: { 2 }, files: files, diagnosis: installation.services.diagnosis)
    }

    @Test func rowsWaitUntilTheyAreCounted() async throws {
        try await Exchange.run { exchange in
            let key = try await exchange.installation.createApp().live.key.branchKey
            let app = try await exchange.services.directory.app(branchKey: key)
            _ = try await exchange.services.links.create(NewLink(alias: "pears"), for: app)
            let system = try Self.service(exchange.installation)
            let before = try await system.status()
            #expect(before.waiting == .none && before.countedUntil == [:] && before.freeBytes == 2)

            let clicked = exchange.installation.clock.now
            _ = try await exchange.get("/pears")
            exchange.installation.clock.advance(by: .seconds(3600))
            #expect(try await system.status().waiting == .some)
            let lag = try await system.workload().countingLag
            #expect(lag[.clicks]?.components.seconds == 3600 && lag[.sessions] == .zero)
            try await exchange.services.maintenance.count()
            #expect(try await system.workload().countingLag[.clicks] == .zero)
            let after = try await system.status()
            #expect(after.waiting == .none && after.countedUntil[.clicks]?.seconds == clicked.seconds)
            #expect(after.now.seconds - after.startedAt.seconds == 3600 && after.retention.days == [.clicks: 100])
        }
    }

    @Test func theNewestBackupIsShownOrWhyItCannotBe() async throws {
        try await Installation.run { installation in
            let backup = ServerFiles.Backup(time: installation.clock.now, bytes: 7)
            let off = try Self.service(installation)
            let written = try Self.service(installation, ServerFiles(backupFolder: "/backups", newestBackup: { backup }))
            let unreadable = try Self.service(
                installation,
                ServerFiles(backupFolder: "/backups", newestBackup: { throw Failure.invalid("The folder cannot be read.") }))
            #expect(try await off.status().backups == .off)
            #expect(try await written.status().backups == .folder("/backups", newest: backup))
            #expect(
                try await unreadable.status().backups == .unreadable("/backups", reason: "The folder cannot be read."))
        }
    }

    @Test func findingsAboutTheFilesAreAmongThoseOfTheServer() async throws {
        try await Installation.run { installation in
            let finding = Finding("database.files", .warning, "Others can read them.")
            let system = try Self.service(installation, ServerFiles(findings: { [finding] }))
            #expect(try await system.status().findings.contains(finding))
        }
    }
}
