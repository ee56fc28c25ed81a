/// What a visitor holds or sits at, as far as redirects care: a place where the App Store serves, one where Google Play or a store
/// beside it does, and every other one.
///
/// Phones of other systems count as `desktop`, for like a computer they can only be sent to the web; their ``DeviceFamily`` tells
/// them apart where a link has a URL of its own for them.
public enum Platform: String, Sendable, Hashable, CaseIterable {
    case iOS = "ios"
    case android
    case desktop
}
