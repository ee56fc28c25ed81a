/// What an app's SDKs need to know of the server, as text to copy: the keys of both sides, the addresses, and the app's URI schemes.
struct SDKSnippets: Sendable {
    struct Snippet: Sendable {
        let title: String
        let text: String
    }

    /// Nil for a side without a key.
    let liveKey: String?
    let testKey: String?
    /// Whether the app's test side is shown. Its snippets begin sessions with the test key.
    let isTest: Bool
    /// The address of the API, without a trailing slash.
    let address: String
    /// The hosts of the app's links, at least one.
    let hosts: [String]
    let iosScheme: String?
    let androidScheme: String?

    var all: [Snippet] {
        [
            Snippet(title: "iOS, Branch's SDK from 3.2", text: ios),
            Snippet(title: "Android, Branch's SDK from 5.9", text: android),
            Snippet(title: "Web", text: web), Snippet(title: "React Native, react-native-branch from 6.2.0", text: reactNative),
            Snippet(title: "Flutter, flutter_branch_sdk from 8.10.0", text: flutter),
        ]
    }

    /// Nil if the SDKs of all platforms can call the address.
    var problem: String? {
        guard !address.hasPrefix("https://") else { return nil }
        return "The SDKs for Android and the Web call no address without https, and links open apps on https only. "
            + "Set http.base_url."
    }

    private var key: String { (isTest ? testKey : liveKey) ?? "key_…" }

    private var ios: String {
        let useTestKey = isTest ? "    Branch.setUseTestBranchKey(true)\n" : ""
        return """
            // In the AppDelegate, before anything else of the SDK
            func application(_ application: UIApplication,
                             didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?) -> Bool {
                Branch.setAPIUrl("\(address)")
            \(useTestKey)    Branch.getInstance().initSession(launchOptions: launchOptions) { params, error in
                    // params["+clicked_branch_link"] says whether a link led here
                }
                return true
            }

            \(propertyList)
            """
    }

    /// The members of Info.plist, and the entitlement.
    private var propertyList: String {
        let keys = [("live", liveKey), ("test", testKey)].compactMap { side, key in
            key.map { "    <key>\(side)</key><string>\($0)</string>\n" }
        }
        let domains = hosts.map { "<string>\($0)</string>" }.joined()
        let scheme = iosScheme.map {
            """

            <key>CFBundleURLTypes</key>
            <array>
                <dict><key>CFBundleURLSchemes</key><array><string>\($0)</string></array></dict>
            </array>
            """
        }
        return """
            <!-- Info.plist -->
            <key>branch_key</key>
            <dict>
            \(keys.joined())</dict>
            <key>branch_universal_link_domains</key>
            <array>\(domains)</array>\(scheme ?? "")

            <!-- Entitlement "Associated Domains" -->
            \(hosts.map { "applinks:\($0)" }.joined(separator: "\n"))
            """
    }

    private var android: String {
        """
        // In the Application
        override fun onCreate() {
            super.onCreate()
            Branch.setAPIUrl("\(address)/")   // with a trailing slash
            Branch.getAutoInstance(this)
        }

        \(manifest)
        """
    }

    private var manifest: String {
        let keys = [("", liveKey), (".test", testKey)].compactMap { ending, key in
            key.map { #"<meta-data android:name="io.branch.sdk.BranchKey\#(ending)" android:value="\#($0)" />"# }
        }
        let data = hosts.map { #"    <data android:scheme="https" android:host="\#($0)" />"# }
        let scheme = androidScheme.map {
            "\n" + Self.filter(#"<intent-filter>"#, [#"    <data android:scheme="\#($0)" />"#])
        }
        return """
            <!-- AndroidManifest.xml, in the application -->
            \(keys.joined(separator: "\n"))
            <meta-data android:name="io.branch.sdk.TestMode" android:value="\(isTest)" />

            <!-- In the activity, beside the filter for the launcher -->
            \(Self.filter(#"<intent-filter android:autoVerify="true">"#, data))\(scheme ?? "")
            """
    }

    private static func filter(_ start: String, _ data: [String]) -> String {
        """
        \(start)
            <action android:name="android.intent.action.VIEW" />
            <category android:name="android.intent.category.DEFAULT" />
            <category android:name="android.intent.category.BROWSABLE" />
        \(data.joined(separator: "\n"))
        </intent-filter>
        """
    }

    private var web: String {
        """
        # A copy of the SDK with this server's address, to be served by your site
        npm install branch-sdk
        sed -e 's#https://api2\\.branch\\.io#\(address)#g' \\
            -e 's#https://app\\.link#\(address)#g' \\
            -e 's#https://bnc\\.lt#\(address)#g' node_modules/branch-sdk/dist/build.min.js > branch.js

        // In the page, which loads branch.js in place of https://cdn.branch.io/branch-latest.min.js
        branch.init("\(key)", (error, data) => {
          // data.data_parsed["+clicked_branch_link"] says whether a link led here
        })
        """
    }

    private var reactNative: String {
        """
        // branch.json, in android/app/src/main/assets/ and in the Xcode target
        { "apiUrl": "\(address)"\(isTest ? #", "useTestInstance": true"# : "") }

        \(propertyList)

        \(manifest)
        """
    }

    private var flutter: String {
        """
        // assets/branch-config.json, named under assets: in pubspec.yaml
        { "branchKey": "\(key)", "apiUrlAndroid": "\(address)/", "apiUrlIOS": "\(address)" }

        \(propertyList)

        \(manifest)
        """
    }
}
