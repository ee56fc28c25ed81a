/// The App Links property that a Roots filter is registered for. Any key may be registered; only these are used.
public struct AppLinkKey: RawRepresentable, Sendable, Hashable, ExpressibleByStringLiteral {
    public static let iOSURL: AppLinkKey = "al:ios:url"
    public static let androidURL: AppLinkKey = "al:android:url"
    public static let webURL: AppLinkKey = "al:web:url"

    public var rawValue: String

    public init(rawValue: String) { self.rawValue = rawValue }
    public init(stringLiteral value: String) { rawValue = value }
}
