import Testing

@testable import Dashboard

/// The snippets for an app's SDKs, as values.
@Suite struct SDKSnippetsTests {
    private static func snippets(isTest: Bool = false, address: String = "https://go.example.com") -> SDKSnippets {
        SDKSnippets(
            liveKey: "key_live_x", testKey: "key_test_x", isTest: isTest, address: address,
            hosts: ["go.example.com", "links.example.com"], iosScheme: "orchard", androidScheme: nil)
    }

    private static func text(_ title: String, _ snippets: SDKSnippets) -> String {
        snippets.all.first { $0.title.hasPrefix(title) }?.text ?? ""
    }

    @Test func eachPlatformHasItsOwnFormOfTheAddress() {
        let all = Self.snippets()
        #expect(Self.text("iOS", all).contains(#"Branch.setAPIUrl("https://go.example.com")"#))
        #expect(Self.text("Android", all).contains(#"Branch.setAPIUrl("https://go.example.com/")"#))
        #expect(Self.text("Web", all).contains(#"sed -e 's#https://api2\.branch\.io#https://go.example.com#g' \"#))
        #expect(Self.text("React Native", all).contains(#"{ "apiUrl": "https://go.example.com" }"#))
        #expect(
            Self.text("Flutter", all).contains(
                #"{ "branchKey": "key_live_x", "apiUrlAndroid": "https://go.example.com/", "apiUrlIOS": "https://go.example.com" }"#
            ))
    }

    @Test func allHostsOfLinksAndTheSchemesOfThePlatformAreNamed() {
        let (ios, android) = (Self.text("iOS", Self.snippets()), Self.text("Android", Self.snippets()))
        #expect(ios.contains("<array><string>go.example.com</string><string>links.example.com</string></array>"))
        #expect(ios.contains("applinks:go.example.com\napplinks:links.example.com") && ios.contains("<string>orchard</string>"))
        #expect(android.contains(#"<data android:scheme="https" android:host="links.example.com" />"#))
        #expect(!android.contains("orchard"), "The app has no scheme on Android.")
    }

    @Test func theTestSideBeginsSessionsWithTheTestKey() {
        let (live, test) = (Self.snippets(), Self.snippets(isTest: true))
        #expect(Self.text("Web", live).contains("key_live_x") && Self.text("Web", test).contains("key_test_x"))
        #expect(Self.text("iOS", test).contains("\n    Branch.setUseTestBranchKey(true)\n    Branch.getInstance()"))
        #expect(Self.text("iOS", live).contains("\n    Branch.setAPIUrl(\"https://go.example.com\")\n    Branch.getInstance()"))
        #expect(Self.text("Android", test).contains(#"TestMode" android:value="true""#))
    }

    @Test func anAddressWithoutEncryptionIsAProblem() {
        #expect(Self.snippets().problem == nil)
        #expect(Self.snippets(address: "http://localhost:8080").problem?.contains("Set http.base_url.") == true)
    }
}
