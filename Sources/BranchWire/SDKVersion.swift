import Linden

/// Which SDK a call comes from, read off `sdk`: `ios3.14.0`, `android5.16.3`, `web2.84.0`, `native` with `sdk_version` beside it.
struct SDKVersion {
    enum Family: String, CaseIterable {
        case ios
        case android
        case web
        case native
    }

    /// Nil for a caller that is no SDK, or does not say.
    let family: Family?
    private let major: Int
    private let minor: Int

    init(_ body: RequestFields) {
        let name = body.text("sdk")?.lowercased() ?? ""
        family = Family.allCases.first { name.hasPrefix($0.rawValue) }
        let written = name.dropFirst(family?.rawValue.count ?? 0)
        let version = written.isEmpty ? (body.text("sdk_version") ?? "")[...] : written
        let numbers = version.utf8.split(separator: UInt8(ascii: ".")).map { part in
            Int(Substring(part.prefix { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) })) ?? 0
        }
        major = numbers.first ?? 0
        minor = numbers.dropFirst().first ?? 0
    }

    static func >= (left: SDKVersion, right: (major: Int, minor: Int)) -> Bool {
        (left.major, left.minor) >= right
    }

    /// Newer SDKs log users in and out by themselves and say who it is with every session; older ones leave it to `/v1/profile` and
    /// `/v1/logout`, and forget a name that an answer does not repeat.
    var keepsIdentityItself: Bool {
        switch family {
        case .ios: self >= (3, 0)
        case .android: self >= (5, 9)
        case .web: self >= (2, 79)
        case .native: self >= (2, 1)
        case nil: false
        }
    }
}
