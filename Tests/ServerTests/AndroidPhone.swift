import Linden
import LindenKernel
import LindenServices
import LindenTesting
import Testing

/// A phone with the app installed, with its device token.
struct AndroidPhone {
    let exchange: Exchange
    let key: String
    let device: JSON
    private let bundle: JSON
    private let sdk: String

    init(_ exchange: Exchange, sdk: String = "android5.16.3") async throws {
        self.exchange = exchange
        self.sdk = sdk
        key = try await exchange.installation.createApp().live.key.branchKey
        let install = try await exchange.install(key, ["sdk": .string(sdk), "os": "Android", "os_version": 34]).object
        device = try #require(install["randomized_device_token"])
        bundle = try #require(install["randomized_bundle_token"])
    }

    func open(as name: String? = nil, with fields: JSONObject = [:]) async throws -> JSONObject {
        exchange.installation.clock.advance(by: .seconds(60))
        var body: JSONObject = [
            "branch_key": .string(key), "sdk": .string(sdk), "os": "Android", "os_version": 34,
            "randomized_device_token": device, "randomized_bundle_token": bundle,
        ]
        if let name { body["identity"] = .string(name) }
        return try await exchange.post("/v1/open", .object(body.merging(fields))).object
    }

    /// Reports an event, in which the SDK's name and version are separate fields.
    func event(as name: String?, sdk: String? = nil, request: String? = nil) async throws {
        exchange.installation.clock.advance(by: .seconds(60))
        let version = String((sdk ?? self.sdk).drop { $0.isLetter })
        var user: JSONObject = ["randomized_device_token": device, "sdk": "android", "sdk_version": .string(version)]
        user["developer_identity"] = name.map(JSON.string)
        var body: JSONObject = ["branch_key": .string(key), "name": "tasted", "user_data": .object(user)]
        body["branch_sdk_request_unique_id"] = request.map(JSON.string)
        #expect(try await exchange.post("/v2/event/custom", .object(body)).status == 200)
    }

    /// The number of devices on which a user is logged in.
    func devices(of name: String) async throws -> Int {
        let scope = try await exchange.services.directory.app(branchKey: key).scope
        let user = try await exchange.services.people.identity(name, in: scope)
        return try await exchange.services.people.summary(of: user).devices.count
    }
}
