import Linden
import LindenKernel
import LindenServices
import LindenTesting
import SQLStorage
import SQLiteStorage
import Testing

/// What a session writes of a device that is known.
@Suite struct DeviceUpdateTests {
    private static let first = DeviceDescription(
        hardwareID: "vendor-1", advertisingID: "ad-1", os: "iOS", osVersion: "18.5", model: "iPhone15,3", appVersion: "4.17.2")

    private static let updates: [(reported: DeviceDescription, stored: String)] = [
        (first, "vendor-1 ad-1 iPhone15,3 18.5 4.17.2"),
        (DeviceDescription(), "vendor-1 ad-1 iPhone15,3 18.5 4.17.2"),
        (DeviceDescription(osVersion: "18.6", appVersion: "4.18"), "vendor-1 ad-1 iPhone15,3 18.6 4.18"),
        (DeviceDescription(hardwareID: "vendor-2"), "vendor-2 ad-1 iPhone15,3 18.5 4.17.2"),
        (DeviceDescription(advertisingID: "ad-2"), "vendor-1 ad-2 iPhone15,3 18.5 4.17.2"),
        (DeviceDescription(model: "iPhone16,1"), "vendor-1 ad-1 iPhone16,1 18.5 4.17.2"),
    ]

    @Test(arguments: updates)
    func whatAKnownDeviceReportsReplacesWhatIsStored(reported: DeviceDescription, stored: String) async throws {
        try await Installation.run { installation in
            let known = try await Self.insert(Self.first, into: installation)
            try await Self.update(known, reported, of: known.identity, in: installation)
            #expect(try await Self.stored(in: installation) == [stored])
        }
    }

    @Test func aTextThatDiffersOnlyInItsBytesIsStored() async throws {
        try await Installation.run { installation in
            let known = try await Self.insert(DeviceDescription(model: "Poir\u{E9}"), into: installation)
            try await Self.update(known, DeviceDescription(model: "Poire\u{301}"), of: known.identity, in: installation)
            let model = try await installation.texts("SELECT model FROM devices").first
            #expect(model.map { Array($0.utf8) } == Array("Poire\u{301}".utf8))
        }
    }

    @Test func aDeviceWithoutAnIDIsGivenTheOneThatItReportsLater() async throws {
        try await Installation.run { installation in
            let known = try await Self.insert(DeviceDescription(os: "iOS"), into: installation)
            try await Self.update(known, Self.first, of: known.identity, in: installation)
            #expect(try await Self.stored(in: installation) == ["vendor-1 ad-1 iPhone15,3 18.5 4.17.2"])
        }
    }

    @Test func aDeviceIsGivenAnotherIdentity() async throws {
        try await Installation.run { installation in
            let known = try await Self.insert(Self.first, into: installation)
            let other = try await installation.storage.write { try $0.newID(Identity.self) }
            try await Self.update(known, Self.first, of: other, in: installation)
            #expect(try await installation.count("SELECT identity_id FROM devices") == other.rawValue)
        }
    }

    private static func insert(_ description: DeviceDescription, into installation: Installation) async throws -> Device {
        let scope = Scope(app: try await installation.createApp().app.id, mode: .live)
        return try await installation.storage.write { transaction in
            let device = Device(
                id: try transaction.newID(), scope: scope, identity: try transaction.newID(), description: description)
            try transaction.insert(device, at: transaction.now)
            return device
        }
    }

    private static func update(
        _ known: Device, _ reported: DeviceDescription, of identity: Identity.ID, in installation: Installation
    ) async throws {
        try await installation.storage.write { transaction in
            let device = Device(id: known.id, scope: known.scope, identity: identity, description: reported)
            try transaction.update(device, from: known, at: transaction.now)
        }
    }

    private static func stored(in installation: Installation) async throws -> [String] {
        try await installation.texts(
            "SELECT hardware_id || ' ' || advertising_id || ' ' || model || ' ' || os_version || ' ' || app_version FROM devices")
    }
}
