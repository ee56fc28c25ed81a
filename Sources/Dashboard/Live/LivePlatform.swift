/// The platforms by which the rows of the live page are restricted.
package enum LivePlatform: String, CaseIterable, Sendable {
    case ios, android, other

    /// - Parameter os: the system as an exported row has it; nil if it is unknown.
    init(_ os: String?) {
        switch os {
        case "IOS": self = .ios
        case "ANDROID": self = .android
        default: self = .other
        }
    }

    var title: String {
        switch self {
        case .ios: "iOS"
        case .android: "Android"
        case .other: "Other"
        }
    }
}
