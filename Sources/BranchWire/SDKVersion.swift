/// The SDK that sent a call, parsed from `sdk`: `ios3.14.0`, `android5.16.3`, `web2.84.0`, `mac1.5.0`, or `native` (C++) with a separate
/// `sdk_version`.
struct SDKVersion {
    enum Family: String, CaseIterable {
        case ios
        case android
        case web
        case mac
        case native
    }

    /// Nil for any other SDK and if absent.
    let family: Family?
    /// The SDK's name and version as stored: `roku1.0.0`, also for an SDK that sends them separately. Nil without `sdk`.
    let text: String?
    private let major: Int
    private let minor: Int

    init(_ body: RequestFields) {
        let sdk = body.shortText("sdk")
        let name = sdk?.lowercased() ?? ""
        let isWhole = name.utf8.contains { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
        text = sdk.map { isWhole ? $0 : $0 + (body.shortText("sdk_version") ?? "") }
        family = Family.allCases.first { name.hasPrefix($0.rawValue) }
        let written = name.utf8.dropFirst(family?.rawValue.utf8.count ?? 0)
        var version = written.isEmpty ? (body.shortText("sdk_version") ?? "")[...].utf8 : written
        major = Self.number(before: &version)
        minor = Self.number(before: &version)
    }

    /// Removes a part of a version with its point, and returns the number that it begins with; 0 for none.
    private static func number(before rest: inout Substring.UTF8View) -> Int {
        let part = rest.prefix { $0 != UInt8(ascii: ".") }
        rest = rest[part.endIndex...].dropFirst()
        return Int(Substring(part.prefix { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) })) ?? 0
    }

    static func >= (left: SDKVersion, right: (major: Int, minor: Int)) -> Bool {
        (left.major, left.minor) >= right
    }

    /// Whether the SDK sends the developer identity with every open, so that an open without one is a logout. Older SDKs use `/v1/profile`
    /// and `/v1/logout`, and drop a developer identity that a response does not repeat. Android never sends it after a restart, see
    /// ``AndroidQuirks/loginState(_:)``.
    var namesUserInEveryOpen: Bool {
        switch family {
        case .ios: self >= (3, 0)
        case .web: self >= (2, 79)
        case .mac: self >= (1, 5)
        case .native: self >= (2, 1)
        case .android, nil: false
        }
    }
}
