import Foundation
import Linden
import LindenKernel
import LindenServices

/// The story of the demo: link creation, click and install as HTTP calls. Prints each step, and fails if a response is not as expected.
struct DemoStory {
    let app: CreatedApp
    let baseURL: BaseURL
    let databasePath: String

    static let app = NewApp(
        name: "Orchard",
        settings: [
            "ios_uri_scheme": "orchard", "android_uri_scheme": "orchard", "android_package_name": "com.example.orchard",
            "web_url": "https://example.com",
        ])

    private static let iPhone =
        "Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 "
        + "Mobile/15E148 Safari/604.1"

    /// Returns the URL of the link.
    func tell() async throws -> String {
        let key = app.live.key.branchKey
        Self.say("1. An app is created. Its SDK is configured with the branch key \(key).\n")
        let url = try await create(key)
        try await click(url)
        try await install(key)
        return url
    }

    private func create(_ key: String) async throws -> String {
        let answer = try await DemoClient.post(
            baseURL.text + "/v1/url",
            [
                "branch_key": .string(key), "channel": "messages", "feature": "sharing", "campaign": "harvest",
                "data": ["$deeplink_path": "apples/cox", "$og_title": "A crate of Cox", "variety": "Cox", "crates": 3],
            ])
        guard answer.status == 200, let url = answer.json["url"]?.string else { throw unexpected("POST /v1/url", answer) }
        Self.say("2. A user shares an apple: the app creates a link with POST /v1/url.\n   \(url)\n")
        return url
    }

    private func click(_ url: String) async throws {
        let answer = try await DemoClient.get(url, userAgent: Self.iPhone)
        guard answer.status == 200, let start = answer.text.firstRange(of: "orchard://apples/cox?link_click_id=")?.lowerBound else {
            throw unexpected("the click", answer)
        }
        let uri = answer.text[start...].prefix { $0 != "\"" }
        Self.say("3. A friend taps it on an iPhone. The click is on disk before the page that opens the app is sent:\n   \(uri)\n")
    }

    private func install(_ key: String) async throws {
        let answer = try await DemoClient.post(
            baseURL.text + "/v1/install",
            ["branch_key": .string(key), "os": "iOS", "os_version": "18.5", "sdk": "ios3.14.0", "model": "iPhone17,1"])
        guard answer.status == 200, let text = answer.json["data"]?.string, let data = try? JSON.parse(text).object,
            data["+clicked_branch_link"] == true, data["+is_first_session"] == true, data["~channel"] == "messages",
            data["crates"] == 3
        else { throw unexpected("POST /v1/install", answer) }
        Self.say("4. The friend does not have the app yet, installs it and opens it. The SDK calls POST /v1/install without an id;")
        Self.say("   Linden matches the install with the click, and the app gets the link's parameters:\n")
        for (key, value) in data { Self.say("   \(key): \(value.text)") }
        Self.say("")
    }

    /// Says where to look, and what to try.
    func sayWhatNext(_ url: String, _ access: DemoAccess?) {
        let key = app.live.key.branchKey
        let base = baseURL.text
        if let access {
            Self.say(
                """
                The dashboard has two months of the app's data, made up, and what has just happened:

                  \(access.url)
                  name \(DemoAccess.name), password \(access.password)

                Create a link under Links, open its address in this browser, and its click is on the link's page. Under Attribution, the
                newest install is that of step 4: "explain" says why.

                """)
        }
        Self.say(
            """
            Or in a terminal, while the server runs until Ctrl-C:

              # another link, with a path of your choice
              curl -s \(base)/v1/url -d '{"branch_key":"\(key)","alias":"pears","channel":"mail","data":{"$deeplink_path":"pears"}}'

              # the link's data
              curl -s '\(base)/v1/url?branch_key=\(key)&url=\(url)'

              # a click on a desktop, and the page that Google's crawler gets
              curl -si \(url) -A 'Mozilla/5.0 (X11; Linux x86_64) Chrome/126.0'
              curl -s \(url) -A 'Mozilla/5.0 (compatible; Googlebot/2.1)'

              # an open by the link itself, as a Universal Link passes it to the app
              curl -s \(base)/v1/open -d '{"branch_key":"\(key)","os":"iOS","os_version":"18.5","universal_link_url":"\(url)"}'

              # statistics of the link
              \(CommandLine.arguments[0]) links stats \(url) --database sqlite:\(databasePath)
            """)
    }

    /// Writes a line unbuffered: `print` to a pipe would hold lines back until its buffer is full.
    static func say(_ line: String) {
        FileHandle.standardOutput.write(Data((line + "\n").utf8))
    }

    private func unexpected(_ step: String, _ answer: DemoClient.Answer) -> Failure {
        .unusable("The demo failed: \(step) answered \(answer.status): \(answer.text)")
    }
}
