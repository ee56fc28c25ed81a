#if QR
    import HTTPTypes
    import Linden
    import LindenKernel
    import LindenServices
    import LindenTesting
    import Testing

    /// The designer of a link's QR code.
    @Suite struct DashboardCodeTests {
        @Test func aCodeIsDrawnInTheStyleOfTheAddressAndReadByAScanner() async throws {
            try await Exchange.run { exchange in
                let orchard = try await DashboardApp(exchange)
                let browser = try await DashboardBrowser(exchange, as: .support)
                #expect(try await browser.get(orchard.linkPath).body.contains(#"href="\#(orchard.linkPath)/code""#))
                let style = "code_color=%23103a20&code_pattern=3&finder_pattern=2&width=450&margin=12"
                let page = try await browser.get(orchard.linkPath + "/code?" + style)
                #expect(page.status == 200 && page.body.contains(##"name="code_color" type="color" value="#103a20""##))
                #expect(page.body.contains(#"<option value="3" selected>circles</option>"#))
                #expect(page.body.contains("linden links qr") && page.body.contains("--code-pattern 3"))
                let image = try #require(page.body.firstMatch(of: /<img src="([^"]*)"/)).1.replacing("&amp;", with: "&")
                #expect(try await browser.get(String(image)).body.contains(#"width="450""#))
                let download = try #require(page.body.firstMatch(of: /href="([^"]*code\.png[^"]*)"/)).1
                let png = try await browser.get(String(download.replacing("&amp;", with: "&")))
                #expect(png.headers[.contentType] == "image/png")
                #expect(png.headers[.contentDisposition] == "attachment; filename=\"link-\(orchard.link.id).png\"")
                #expect(try Scanner.read(png.bytes) == exchange.services.links.url(of: orchard.link))
            }
        }

        @Test(arguments: [
            ("width", "299", "width must be 300 to 2000 pixels"), ("code_color", "greenish", "code_color: a color must be written"),
            ("margin", "wide", "margin must be a whole number"), ("code_pattern", "8", "code_pattern must be 1 to 7"),
            ("center_logo_url", "https://go.example.com/logo.png", "center_logo_url must not be on this server"),
        ])
        func aMistakeIsSaidAtItsField(field: String, value: String, says: String) async throws {
            try await Exchange.run { exchange in
                let orchard = try await DashboardApp(exchange)
                let browser = try await DashboardBrowser(exchange, as: .analyst)
                let page = try await browser.get("\(orchard.linkPath)/code?\(field)=\(DashboardBrowser.encoded(value))")
                let message = try #require(page.body.firstMatch(of: /id="fault-([a-z_]+)">([^<]*)</))
                #expect(page.status == 400 && message.1 == field[...] && message.2.hasPrefix(says))
                #expect(!page.body.contains("<img") && (field == "code_pattern" || page.body.contains(#"value="\#(value)""#)))
            }
        }

        @Test func theLogoIsFetchedOnceForThePageItsImageAndTheFiles() async throws {
            try await LogoServer.run { server in
                try await Exchange.run(outgoing: server.client) { exchange in
                    let orchard = try await DashboardApp(exchange)
                    let browser = try await DashboardBrowser(exchange, as: .support)
                    let style = "?width=600&center_logo_url=" + DashboardBrowser.encoded(server.url + "/logo.png")
                    for page in ["/code", "/code.svg", "/code.png", "/code.jpeg"] {
                        #expect(try await browser.get(orchard.linkPath + page + style).status == 200, "\(page)")
                    }
                    #expect(server.requestCount == 1)
                }
            }
        }

        @Test func aDeletedLinkHasNoCode() async throws {
            try await Exchange.run { exchange in
                let orchard = try await DashboardApp(exchange)
                try await exchange.services.links.delete(orchard.link.id)
                let browser = try await DashboardBrowser(exchange, as: .admin)
                for path in ["/code", "/code.svg", "/code.png"] {
                    #expect(try await browser.get(orchard.linkPath + path).status == 404)
                }
            }
        }
    }
#endif
