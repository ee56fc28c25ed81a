import Linden
import LindenKernel
import LindenServices

#if QR
    import Foundation
    import HTTPTypes
    import Linden
    import LindenTesting
    import OutgoingHTTP
    import Synchronization
    import Testing

    @Suite struct QRCodeRoutesTests {
        private static let settings: JSONObject = [
            "width": 450, "margin": 12, "code_color": "#103A20", "background_color": "#FFFFFF",
        ]

        @Test(arguments: ["/v1/qr-code", "/v2/qr-code"], ["PNG", "JPEG"])
        func aScannerReadsTheLinkThatWasMade(path: String, format: String) async throws {
            try await Exchange.run { exchange in
                let key = try await exchange.installation.createApp().live.key.branchKey
                let answer = try await exchange.post(
                    path,
                    [
                        "branch_key": .string(key), "channel": "poster", "data": ["$og_title": "Pears"],
                        "qr_code_settings": .object(Self.settings.merging(["image_format": .string(format)])),
                    ])
                #expect(answer.status == 200)
                #expect(answer.headers[.contentType] == "image/\(format.lowercased())")
                let url = try #require(try Scanner.read(answer.bytes))
                #expect(try await exchange.services.links.find(url).labels.channel == "poster")
            }
        }

        @Test func anImageIsAsWideAsAskedForAndThreeHundredPixelsOtherwise() async throws {
            try await Exchange.run { exchange in
                let key = try await exchange.installation.createApp().live.key.branchKey
                for (settings, width) in [(nil, 300), (.object([:]), 300), (["width": 777], 777), (["width": "2000"], 2000)]
                    as [(JSON, Int)]
                {
                    let answer = try await exchange.post("/v1/qr-code", ["branch_key": .string(key), "qr_code_settings": settings])
                    // The header of a PNG holds its width and height.
                    let size = [16, 20].map { at in answer.bytes[at..<at + 4].reduce(0) { $0 << 8 | Int($1) } }
                    #expect(size == [width, width])
                }
            }
        }

        @Test func theWebSDKSendsItsSettingsAsText() async throws {
            try await Exchange.run { exchange in
                let key = try await exchange.installation.createApp().live.key.branchKey
                let settings = "%7B%22width%22%3A%22320%22%2C%22image_format%22%3A%22svg%22%2C%22margin%22%3A%22%22%7D"
                let answer = try await exchange.send(
                    .post, "/v1/qr-code", headers: [.origin: "https://page.example"],
                    body: Array("data=%7B%7D&qr_code_settings=\(settings)&branch_key=\(key)".utf8))
                #expect(answer.status == 200)
                #expect(answer.headers[.contentType] == "image/svg+xml")
                #expect(answer.body.contains("width=\"320\""))
                #expect(answer.headers[.accessControlAllowOrigin] == "https://page.example")
            }
        }

        private static let mistakes: [(settings: JSON, names: String)] = [
            (["width": 299], "width"), (["width": 2001], "width"), (["width": "wide"], "width"), (["margin": 21], "margin"),
            (["margin": .decimal("1.5")], "margin"), (["image_format": "GIF"], "format"),
            (["code_color": "greenish"], "code_color"),
            (["code_color": "#FFF"], "contrast"), ("no object", "qr_code_settings"), ([1], "qr_code_settings"),
            (["center_logo_url": "file:///etc/passwd"], "center_logo_url"),
            (["center_logo_url": "http://127.0.0.1/"], "center_logo_url"),
            (["center_logo_url": "http://169.254.169.254/latest"], "center_logo_url"),
            (["center_logo_url": "https://go.example.com/logo.png"], "this server"),
        ]

        @Test(arguments: mistakes)
        func aMistakeIsNamedAndMakesNoLink(settings: JSON, names: String) async throws {
            try await Exchange.run { exchange in
                let key = try await exchange.installation.createApp().live.key.branchKey
                let answer = try await exchange.post("/v1/qr-code", ["branch_key": .string(key), "qr_code_settings": settings])
                #expect(answer.status == 400)
                #expect(answer.errorMessage?.contains(names) == true, "\(answer.body)")
                // The iOS SDK reads the message here.
                #expect(answer.object["message"]?.string == answer.errorMessage)
                #expect(try await exchange.rows("SELECT COUNT(*) FROM links") == 0)
            }
        }

        @Test(arguments: [("logo.png", 200), ("garbage.png", 400), ("missing.png", 400)])
        func aLogoIsFetchedAndTheCodeStillRead(file: String, status: Int) async throws {
            try await LogoServer.run { server in
                try await Exchange.run(outgoing: server.client) { exchange in
                    let key = try await exchange.installation.createApp().live.key.branchKey
                    let answer = try await exchange.post(
                        "/v1/qr-code",
                        [
                            "branch_key": .string(key),
                            "qr_code_settings": ["width": 600, "center_logo_url": .string(server.url + "/" + file)],
                        ])
                    #expect(answer.status == status, "\(answer.body)")
                    #expect(try await exchange.rows("SELECT COUNT(*) FROM links") == (status == 200 ? 1 : 0))
                    if status == 200 {
                        let plain = try await exchange.post(
                            "/v1/qr-code", ["branch_key": .string(key), "qr_code_settings": ["width": 600]])
                        #expect(answer.bytes != plain.bytes)
                        let url = try #require(try Scanner.read(answer.bytes))
                        #expect(try await exchange.services.links.find(url).createdAt == exchange.installation.clock.now)
                    }
                }
            }
        }

        @Test func oneAddressWithASlowServerLeavesPlacesToOthers() async throws {
            try await LogoServer.run { server in
                try await Exchange.run(outgoing: server.client, logoTimeout: .seconds(600)) { exchange in
                    let app = try await exchange.installation.createApp().live
                    @Sendable func draw(_ file: String, from address: String, secret: String? = nil) async throws -> Int {
                        var call: JSONObject = [
                            "branch_key": .string(app.key.branchKey),
                            "qr_code_settings": ["center_logo_url": .string(server.url + "/" + file)],
                        ]
                        if let secret { call["branch_secret"] = .string(secret) }
                        return try await exchange.post("/v1/qr-code", .object(call), from: address).status
                    }
                    try await withThrowingTaskGroup(of: Int.self) { group in
                        for _ in 0..<8 { group.addTask { try await draw("slow.png", from: "203.0.113.7") } }
                        // Two wait for the slow server, a quarter of the places; the others are refused at once.
                        for _ in 0..<6 {
                            let status = try await group.next()
                            #expect(status == 503)
                        }
                        #expect(try await draw("logo.png", from: "203.0.113.8") == 200, "another address of the same site")
                        #expect(try await draw("logo.png", from: "198.51.100.1") == 200, "another site")
                        #expect(try await draw("logo.png", from: "203.0.113.7", secret: app.secret) == 200, "the app's own server")
                        server.release()
                        while let status = try await group.next() { #expect(status == 200, "a slow one") }
                    }
                }
            }
        }

        @Test func theNameOfALogosServerIsLookedUpForTheAppAndTheClientThatNamedIt() async throws {
            let lookups = Lookups()
            let client = GuardedClient(resolver: { _, parties in
                lookups.add(parties)
                return []
            })
            try await Exchange.run(outgoing: client) { exchange in
                let (orchard, meadow) = (
                    try await exchange.installation.createApp().live, try await exchange.installation.createApp("Meadow").live
                )
                func draw(_ key: String, _ fields: JSONObject = [:], from address: String) async throws {
                    let call: JSONObject = [
                        "branch_key": .string(key), "qr_code_settings": ["center_logo_url": "https://logo.example/pear.png"],
                    ]
                    let answer = try await exchange.post("/v1/qr-code", .object(call.merging(fields)), from: address)
                    #expect(answer.status == 400)
                }
                try await draw(orchard.key.branchKey, from: "203.0.113.7")
                try await draw(meadow.key.branchKey, from: "203.0.113.7")
                try await draw(meadow.key.branchKey, from: "203.0.113.8")
                try await draw(meadow.key.branchKey, ["branch_secret": .string(meadow.secret)], from: "203.0.113.8")
            }
            let asked = lookups.all
            try #require(asked.count == 4)
            #expect(asked[0].intersection(asked[1]).count == 2, "address and site")
            #expect(asked[1].intersection(asked[2]).count == 2, "app and site")
            #expect(asked[3].count == 1 && asked[3].isDisjoint(with: asked[2]), "the app alone, of which its clients take nothing")
        }

        @Test func anUnknownKeyIsRefusedWithAMessageOnTop() async throws {
            try await Exchange.run { exchange in
                let answer = try await exchange.post("/v1/qr-code", ["branch_key": "key_live_unknown"])
                #expect(answer.status == 400)
                #expect(answer.object["message"]?.string?.isEmpty == false)
            }
        }
    }

    /// The parties of each look-up of a name.
    private final class Lookups: Sendable {
        private let parties = Mutex<[Set<LookupParty>]>([])

        var all: [Set<LookupParty>] { parties.withLock { $0 } }

        func add(_ asking: [LookupParty]) { parties.withLock { $0.append(Set(asking)) } }
    }
#endif
