import LinkRouting

/// The values stored for a visitor under Linden's own names.
extension Visitor {
    /// The OS: as SDKs name it where a fingerprint has it, else a desktop system, for the log only.
    package var systemName: String? {
        if let os { return os }
        return switch device {
        case .windows: "Windows"
        case .mac: "macOS"
        case .chromeOS: "ChromeOS"
        case .linux: "Linux"
        default: nil
        }
    }

    /// The browser, or the app whose in-app browser shows the page.
    package var browserWord: String? { inAppBrowser?.rawValue ?? browser?.family.rawValue }
}
