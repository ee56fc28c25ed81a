import HTTPTypes
import Linden
import LindenKernel
import LindenServices
import LindenTesting
import Testing

@Suite struct AppKeyManagementTests {
    /// Whether a server's call with a key and a secret is answered.
    private static func isAccepted(_ key: String, _ secret: String, _ exchange: Exchange) async throws -> Bool {
        let headers = [HTTPField.Name("Branch-Secret")!: secret] as HTTPFields
        return try await exchange.send(.get, "/v1/app/\(key)", headers: headers).status == 200
    }

    @Test func aNewKeyIsAcceptedBesideTheFormerOneUntilThatIsEnded() async throws {
        try await Exchange.run { exchange in
            let app = try await exchange.installation.createApp()
            let (token, former) = (try await exchange.token(for: app), app.live.key.branchKey)
            let path = "/api/v1/apps/\(app.app.id)/keys"
            #expect(try await exchange.manage(.delete, path + "/" + former, token: token).status == 409)

            let rotated = try await exchange.manage(.post, path, token: token, [:])

            #expect(rotated.status == 200, "\(rotated.body)")
            #expect(rotated.object["former_branch_key"] == .string(former) && rotated.object["former_key_ends_at"] == "never")
            let key = try #require(rotated.object["branch_key"]?.string)
            #expect(try await Self.isAccepted(former, app.live.secret, exchange))
            #expect(try await Self.isAccepted(key, app.live.secret, exchange))
            let ended = try await exchange.manage(.delete, path + "/" + former, token: token)
            #expect(ended.status == 200 && ended.object["ended_at"]?.string != nil, "\(ended.body)")
            #expect(try await !Self.isAccepted(former, app.live.secret, exchange))
            #expect(try await Self.isAccepted(key, app.live.secret, exchange))
        }
    }

    @Test func aNewSecretReplacesTheFormerOneAfterItsOverlap() async throws {
        try await Exchange.run { exchange in
            let app = try await exchange.installation.createApp()
            let (token, key) = (try await exchange.token(for: app), app.live.key.branchKey)
            let path = "/api/v1/apps/\(key)/secrets"

            let rotated = try await exchange.manage(.post, path, token: token, ["overlap": "1h"])

            let secret = try #require(rotated.object["branch_secret"]?.string)
            #expect(try await Self.isAccepted(key, app.live.secret, exchange))
            #expect(try await Self.isAccepted(key, secret, exchange))
            let ended = try await exchange.manage(.delete, path + "/former", token: token)
            #expect(ended.object["ended_secrets"] == 1, "\(ended.body)")
            #expect(try await !Self.isAccepted(key, app.live.secret, exchange))
            #expect(try await Self.isAccepted(key, secret, exchange))
            #expect(try await exchange.manage(.delete, path + "/former", token: token).object["ended_secrets"] == 0)
        }
    }

    @Test(arguments: ["soon", "2020-01-01", "-1d"])
    func anUnclearOverlapIsRefusedAndReplacesNothing(overlap: String) async throws {
        try await Exchange.run { exchange in
            let app = try await exchange.installation.createApp()
            let token = try await exchange.token(for: app)
            let path = "/api/v1/apps/\(app.app.id)"
            let before = try await exchange.manage(.get, path, token: token).json
            for kind in ["/keys", "/secrets"] {
                let refused = try await exchange.manage(.post, path + kind, token: token, ["overlap": .string(overlap)])
                #expect(refused.status == 400 && refused.body.contains("overlap"), "\(refused.body)")
            }
            #expect(try await exchange.manage(.get, path, token: token).json == before)
        }
    }

    @Test func aKeyOfAnotherAppIsNotEnded() async throws {
        try await Exchange.run { exchange in
            let (orchard, grove) = (
                try await exchange.installation.createApp(), try await exchange.installation.createApp("Grove")
            )
            _ = try await exchange.services.keyRotation.rotateKey(of: grove.live.key.scope, overlap: .forever)
            let token = try await exchange.token(for: orchard)
            let path = "/api/v1/apps/\(orchard.app.id)/keys/\(grove.live.key.branchKey)"
            let refused = try await exchange.manage(.delete, path, token: token)
            let unknown = try await exchange.manage(.delete, "/api/v1/apps/\(orchard.app.id)/keys/key_live_none", token: token)
            #expect([refused, unknown].map(\.status) == [404, 404])
            #expect(refused.body.replacing(grove.live.key.branchKey, with: "key_live_none") == unknown.body)
            #expect(try await Self.isAccepted(grove.live.key.branchKey, grove.live.secret, exchange))
        }
    }
}
