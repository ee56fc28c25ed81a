import Foundation
import HTTPTypes
import Linden
import LindenKernel
import LindenServices
import LindenTesting
import Testing

/// Escaping of links' data on pages.
@Suite struct LinkPageEscapingTests {
    /// Puts each value into every field that reaches a page or a Location, for every kind of visitor and page.
    @Test(arguments: [
        "<script>alert(1)</script>", "\"><img src=x onerror=alert(1)>", "'-alert(1)-'", "</title><script>alert(1)</script>",
        "{{{style}}}", "{{> page}}", "javascript:alert(1)", "https://x.example/\"><script>alert(1)</script>",
        "x\r\nSet-Cookie: a=b\r\n\r\n<script>alert(1)</script>", "<!--<script>", "\u{2028}alert(1)",
        "intent://x#Intent;end\" onclick=\"alert(1)",
        "orchard://x\" autofocus onfocus=\"alert(1)", "data:text/html,<script>alert(1)</script>",
    ])
    func noValueBecomesMarkup(value: String) async throws {
        try await Exchange.run { exchange in
            let app = try await exchange.installation.createApp("Orchard <b>&\"")
            let keys = [
                "$og_title", "$og_description", "$og_image_url", "$fallback_url", "$ios_url", "$android_url", "$desktop_url",
                "$after_click_url", "$deeplink_path", "$ios_deeplink_path", "$android_deeplink_path", "$canonical_url",
                "$og_redirect",
                "$og_video", "$og_url", "$og_type", "$twitter_card", "$keywords", "$ios_redirect_timeout", "$custom_sms_text",
            ]
            for mode in ["", "$ios_deepview", "$ios_passive_deepview", "$android_deepview", "$desktop_deepview", "$ios_nativelink"]
            {
                var data = JSONObject()
                for key in keys { data[key] = .string(value) }
                if !mode.isEmpty { data[mode] = true }
                data["$custom_meta_tags"] = .string(JSON.object([value: .string(value)]).text)
                let path = try await exchange.createLink(
                    app.live.key.branchKey, ["channel": .string(value), "data": .object(data)])
                for userAgent in [UserAgents.iPhone, UserAgents.android, UserAgents.desktop, UserAgents.googlebot] {
                    let answer = try await exchange.get(path, userAgent: userAgent)
                    #expect([200, 302].contains(answer.status))
                    answer.expectNoForeignMarkup()
                }
            }
        }
    }
}

extension Exchange.Answer {
    /// Expects one script and one style, both allowed by hash, no event handlers and no script URLs; a Location is one line.
    fileprivate func expectNoForeignMarkup() {
        let lower = body.lowercased()
        #expect(lower.components(separatedBy: "<script").count <= 2, "\(body)")
        let ours: Set<Substring> = [
            "html", "head", "meta", "title", "link", "style", "body", "main", "p", "span", "img", "h1", "a", "div", "svg", "rect",
            "path", "form", "input", "label", "button", "script",
        ]
        for tag in lower.matches(of: /<([a-z][a-z0-9]*)((?:"[^"]*"|[^">])*)>/) {
            #expect(ours.contains(tag.1), "\(tag.0)")
            let names = String(tag.2).replacing(/"[^"]*"/, with: "")
            #expect(!names.contains(/\son\w+/) && !names.contains("'"), "\(tag.0)")
            for value in String(tag.2).matches(of: /\s(href|src|action|data-opens)="([^"]*)"/) {
                #expect(!value.2.hasPrefix("javascript:") && !value.2.hasPrefix("data:"), "\(tag.0)")
            }
        }
        #expect(!policy.contains("unsafe"))
        if let location {
            #expect(!location.contains { $0.isNewline } && !location.contains("\"") && !location.contains("<"))
            #expect(!location.lowercased().hasPrefix("javascript:") && !location.lowercased().hasPrefix("data:"))
        }
        #expect(headers[.setCookie]?.contains("a=b") != true)
    }
}
