import Linden
import LindenServices
import LindenTesting
import SQLiteStorage
import Testing

@Suite struct AppleAttributionTokenTests {
    @Test func aDeviceHasTheTokenThatItSentLast() async throws {
        try await Installation.run { installation in
            let scope = Scope(app: try await installation.createApp().app.id, mode: .live)
            let device = try await installation.storage.write { transaction in
                let device = Device(
                    id: try transaction.newID(), scope: scope, identity: try transaction.newID(), description: DeviceDescription())
                try transaction.insert(device, at: transaction.now)
                return device
            }
            func token() async throws -> String? {
                try await installation.storage.read { try $0.appleAttributionToken(of: device.id) }
            }
            #expect(try await token() == nil)

            for sent in ["first", "second"] {
                try await installation.storage.write { try $0.setAppleAttributionToken(sent, of: device.id) }
                #expect(try await token() == sent)
            }
            // A later session's device description keeps the token.
            try await installation.storage.write { try $0.update(device, from: device, at: $0.now) }
            #expect(try await token() == "second")
        }
    }
}
