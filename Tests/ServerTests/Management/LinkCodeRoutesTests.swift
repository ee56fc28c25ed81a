#if QR
    import HTTPTypes
    import Linden
    import LindenKernel
    import LindenServices
    import LindenTesting
    import Testing

    /// QR codes of existing links.
    @Suite struct LinkCodeRoutesTests {
        /// Runs a server with the link `pears`.
        private static func run(
            _ body:
                @escaping @Sendable (_ exchange: Exchange, _ app: CreatedApp, _ target: String, _ token: String) async throws ->
                Void
        ) async throws {
            try await Exchange.run { exchange in
                let app = try await exchange.installation.createApp()
                _ = try await exchange.createLink(app.live.key.branchKey, ["alias": "pears"])
                let link = try await exchange.services.links.find("pears").id
                try await body(exchange, app, "/api/v1/links/\(link)/qr", try await exchange.token(.analyst, for: app))
            }
        }

        @Test(arguments: [("png", "image/png"), ("JPEG", "image/jpeg")])
        func aScannerReadsTheLink(format: String, contentType: String) async throws {
            try await Self.run { exchange, _, target, token in
                let query =
                    "?image_format=\(format)&width=450&margin=12&code_pattern=3&finder_pattern=2&code_color=%23103A20&finder_eye_color=F00"
                let answer = try await exchange.manage(.get, target + query, token: token)
                #expect(answer.status == 200)
                #expect(answer.headers[.contentType] == contentType)
                #expect(try Scanner.read(answer.bytes) == "https://go.example.com/pears")
            }
        }

        @Test func anSVGHasTheWidthAndColors() async throws {
            try await Self.run { exchange, _, target, token in
                let answer = try await exchange.manage(
                    .get, target + "?image_format=svg&width=400&background_color=%23FFEEDD", token: token)
                #expect(answer.headers[.contentType] == "image/svg+xml")
                #expect(answer.body.contains("width=\"400\""))
                #expect(answer.body.uppercased().contains("#FFEEDD"))
            }
        }

        @Test func theCodeIsThatOfTheCallThatCreatesALink() async throws {
            try await Self.run { exchange, app, target, token in
                let created = try await exchange.post(
                    "/v2/qr-code",
                    [
                        "branch_key": .string(app.live.key.branchKey), "alias": "pears",
                        "qr_code_settings": ["width": 500, "finder_pattern_color": "#00F"],
                    ])
                let drawn = try await exchange.manage(.get, target + "?width=500&finder_pattern_color=%2300F", token: token)
                #expect(created.status == 200)
                #expect(drawn.bytes == created.bytes)
            }
        }

        private static let mistakes = [
            ("width=299", "width must be 300 to 2000 pixels"), ("width=wide", "width must be a whole number of pixels"),
            ("code_pattern=8", "code_pattern must be 1 to 7"),
            ("finder_pattern=round", "finder_pattern must be a whole number"),
            ("margin=21", "margin must be 0 to 20 pixels"), ("image_format=gif", "the image format must be PNG, JPEG or SVG"),
            ("code_color=greenish", "code_color: a color must be written #RRGGBB or #RGB"), ("code_color=FFF", "contrast"),
            ("center_logo_url=http://127.0.0.1/", "center_logo_url"),
            ("center_logo_url=https://go.example.com/logo.png", "must not be on this server"),
            ("size=300", "The parameters are image_format, width, margin"), ("width=300&width=400", "width may be given once"),
        ]

        @Test(arguments: mistakes)
        func aMistakeIsNamed(query: String, says: String) async throws {
            try await Self.run { exchange, _, target, token in
                let answer = try await exchange.manage(.get, target + "?" + query, token: token)
                #expect(answer.status == 400)
                #expect(answer.errorMessage?.contains(says) == true, "\(answer.body)")
            }
        }

        @Test func aDeletedLinkHasNoCode() async throws {
            try await Self.run { exchange, _, target, token in
                let link = try await exchange.services.links.find("pears").id
                try await exchange.services.links.delete(link)
                #expect(try await exchange.manage(.get, target, token: token).status == 404)
            }
        }

        @Test(arguments: [("logo.png", 200), ("garbage.png", 400)])
        func aLogoIsFetchedAndTheCodeStillRead(file: String, status: Int) async throws {
            try await LogoServer.run { server in
                try await Exchange.run(outgoing: server.client) { exchange in
                    let app = try await exchange.installation.createApp()
                    _ = try await exchange.createLink(app.live.key.branchKey, ["alias": "pears"])
                    let link = try await exchange.services.links.find("pears").id
                    let token = try await exchange.token(.analyst, for: app)
                    let target = "/api/v1/links/\(link)/qr?width=600"
                    let answer = try await exchange.manage(
                        .get, target + "&center_logo_url=\(server.url)/\(file)", token: token)
                    #expect(answer.status == status, "\(answer.body)")
                    guard status == 200 else { return }
                    #expect(try await exchange.manage(.get, target, token: token).bytes != answer.bytes)
                    #expect(try Scanner.read(answer.bytes) == "https://go.example.com/pears")
                }
            }
        }
    }
#endif
