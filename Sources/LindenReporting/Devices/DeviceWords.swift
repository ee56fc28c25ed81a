/// Branch's names for operating systems and platforms, as used in exports and queries.
enum DeviceWords {
    /// Returns the name of the operating system, such as `IOS`; nil for an empty one.
    static func os(_ os: String?) -> String? {
        switch os {
        case nil, "": nil
        case "iOS", "IOS": "IOS"
        case "Android", "ANDROID": "ANDROID"
        case "macOS": "MAC_OS"
        case let os?: os.uppercased()
        }
    }

    /// Returns the platform, such as `IOS_APP`; nil if the OS is unknown and it is no browser.
    ///
    /// - Parameter os: as ``os(_:)`` names it.
    static func platform(os: String?, isBrowser: Bool) -> String? {
        switch (os, isBrowser) {
        case (nil, false): nil
        case ("IOS", true), ("ANDROID", true): os.map { $0 + "_WEB" }
        case (_, true): "DESKTOP_WEB"
        case (let os?, false): os + "_APP"
        }
    }
}
