import Linden

/// What only the iOS SDK does.
enum IOSQuirks {
    /// From 1.40.0 the SDK calls its tokens `randomized_…`; its first install does not show it, having no token yet.
    static func speaksNewNames(_ body: RequestFields) -> Bool {
        guard let sdk = body.text("sdk"), sdk.hasPrefix("ios") else { return false }
        let numbers = sdk.dropFirst(3).split(separator: ".").map { Int($0) ?? 0 }
        guard let major = numbers.first else { return false }
        return major > 1 || major == 1 && numbers.count > 1 && numbers[1] >= 40
    }
}
