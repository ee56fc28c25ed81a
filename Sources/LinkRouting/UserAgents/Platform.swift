/// The platform of a visitor's device for redirects, by app store: iOS with the App Store, Android with Google Play or another store, and
/// all others.
///
/// Phones with other systems count as `desktop`, because like computers they can only be sent to the web; their ``DeviceFamily``
/// distinguishes them where a link has a URL for them.
public enum Platform: String, Sendable, Hashable, CaseIterable {
    case iOS = "ios"
    case android
    case desktop
}
