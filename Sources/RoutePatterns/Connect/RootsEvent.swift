/// The event that Roots reports to its caller; exactly one for each link.
public enum RootsEvent: Sendable, Hashable {
    case applicationLaunched(appName: String?, storeID: String?)
    case fallbackURLOpened(String)
    case appStoreOpened(appName: String?, storeID: String)
    /// The text to connect to is not a link.
    case invalidURL

    /// The event's name in Roots-iOS.
    public var name: String {
        switch self {
        case .applicationLaunched: "applicationLaunched"
        case .fallbackURLOpened: "fallbackUrlOpened"
        case .appStoreOpened: "appStoreOpened"
        case .invalidURL: "rootsError"
        }
    }
}
