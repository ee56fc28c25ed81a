import LinkRouting

/// What is stored of a visitor under words of its own.
extension Visitor {
    /// The system: in the words of the SDKs where a fingerprint has it, else that of a computer, for readers of the log alone.
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

    /// The browser, or the app that shows the page in a browser of its own.
    package var browserWord: String? { inAppBrowser?.rawValue ?? browser?.family.rawValue }
}
