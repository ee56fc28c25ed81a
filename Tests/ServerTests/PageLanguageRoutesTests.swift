import HTTPTypes
import Linden
import LindenKernel
import LindenServices
import LindenTesting
import Testing

/// Pages in the visitor's language.
@Suite struct PageLanguageRoutesTests {
    private static let openings = [
        "en": "Open the app", "de": "App öffnen", "fr": "Ouvrir l’application", "es": "Abrir la aplicación",
        "pt": "Abrir o aplicativo", "ja": "アプリを開く",
    ]

    @Test(arguments: openings.keys.sorted())
    func everyPageSpeaksTheVisitorsLanguage(code: String) async throws {
        try await Exchange.run { exchange in
            let app = try await exchange.installation.createApp(settings: Installation.settings.merging(["web_url": nil]))
            let key = app.live.key.branchKey
            let opening = try #require(Self.openings[code])
            let path = try await exchange.createLink(key)
            let deepview = try await exchange.createLink(key, ["data": ["$ios_deepview": "x"]])
            let over = try await exchange.createLink(key, ["expires_at": "2020-01-01T00:00:00Z"])
            let headers: HTTPFields = [.acceptLanguage: "\(code)-XX,\(code);q=0.9"]

            let pages = try await [
                exchange.get(path, headers: headers), exchange.get(deepview, headers: headers),
                exchange.get(path, userAgent: UserAgents.desktop, headers: headers),
                exchange.get(path, userAgent: UserAgents.googlebot, headers: headers), exchange.get(over, headers: headers),
                exchange.get("/nothing", headers: headers), exchange.get("/", headers: headers),
            ]
            for page in pages {
                #expect(page.body.contains("<html lang=\"\(code)\">"))
                // No cache should store a page; one that does must not serve it to visitors with another language.
                #expect(page.headers[.cacheControl] == "no-store")
                #expect(page.varies(by: "Accept-Language"))
                #expect(page.bytes.count < 20_000)
                let others = Self.openings.filter { $0.key != code }.values
                #expect(!others.contains { page.body.contains(">\($0)<") })
            }
            #expect(pages.map(\.status) == [200, 200, 200, 200, 410, 404, 200])
            #expect(pages.map { $0.varies(by: "User-Agent") } == [true, true, true, true, true, false, false])
            #expect(pages.allSatisfy { $0.varies(by: "Accept") })
            #expect(pages[0].body.contains(">\(opening)</a>") && pages[1].body.contains(">\(opening)</a>"))
        }
    }

    @Test func whereALinkLeadsDependsOnTheVisitor() async throws {
        try await Exchange.run { exchange in
            let key = try await exchange.installation.createApp().live.key.branchKey
            let path = try await exchange.createLink(key, ["data": ["$fallback_url": "https://orchard.example.com/pears"]])
            let answer = try await exchange.get(path, userAgent: UserAgents.desktop)
            #expect(answer.location?.hasPrefix("https://orchard.example.com/pears") == true)
            #expect(answer.headers[.cacheControl] == "no-store")
            #expect(answer.varies(by: "User-Agent"))
        }
    }

    @Test func aTextMessageIsAskedForAndRefusedInTheVisitorsLanguage() async throws {
        try await Exchange.run { exchange in
            let headers: HTTPFields = [
                .acceptLanguage: "de", .accept: "text/html", .contentType: "application/x-www-form-urlencoded",
            ]
            let key = try await exchange.installation.createApp().live.key.branchKey
            let click = try #require(try await exchange.get(try await exchange.createLink(key)).linkClickID)
            let wrong = try await exchange.send(
                .post, "/c/\(click)", headers: headers, body: Array("branch_key=\(key)&phone=pear".utf8))
            #expect(wrong.status == 400)
            #expect(wrong.body.contains("Das ist keine Telefonnummer."))
            let right = try await exchange.send(
                .post, "/c/\(click)", headers: headers, body: Array("branch_key=\(key)&phone=%2B4915123456789".utf8))
            #expect(right.status == 200)
            #expect(right.body.contains("Der Link ist unterwegs"))
        }
    }

    /// Text of a link or an app may have another direction than the page.
    @Test func textOfOthersHasItsOwnDirection() async throws {
        try await Exchange.run { exchange in
            let key = try await exchange.installation.createApp("תפוחים").live.key.branchKey
            let path = try await exchange.createLink(key, ["data": ["$og_title": "تفاح", "$og_description": "pears"]])
            let page = try await exchange.get(path).body
            #expect(page.contains("<h1 dir=\"auto\">تفاح</h1>"))
            #expect(page.contains("<p dir=\"auto\">pears</p>"))
            #expect(page.contains("<p class=\"brand\" dir=\"auto\">"))
        }
    }

    @Test func aMessageForTheClientIsMarkedAsEnglish() async throws {
        try await Exchange.run { exchange in
            let key = try await exchange.installation.createApp().live.key.branchKey
            let page = try await exchange.get(
                try await exchange.createLink(key) + "?access_token=secret", headers: [.acceptLanguage: "fr"])
            #expect(page.status == 400)
            #expect(page.body.contains("<html lang=\"fr\">") && page.body.contains("<p dir=\"auto\" lang=\"en\">"))
        }
    }
}

extension Exchange.Answer {
    /// Whether the answer's Vary header names a request header.
    fileprivate func varies(by name: String) -> Bool {
        (headers[.vary] ?? "").split(separator: ",").contains { $0.drop { $0 == " " } == name }
    }
}
