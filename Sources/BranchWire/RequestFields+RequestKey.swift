import Crypto
import Linden

extension RequestFields {
    /// By what a retry of this call is recognised; nil for callers that give no hint.
    ///
    /// SDKs since 2022 send an id that stays the same over retries. Older ones number their tries: a try with a number above 0 is a
    /// retry of an equal body within a minute, where the number itself and the timings of the last answer do not count.
    ///
    /// - Parameter call: the path, so that two calls with one id are two.
    package func requestKey(for call: String) -> RequestKey? {
        if let id = text("branch_sdk_request_unique_id"), id.utf8.count <= Self.longestShortText {
            // Two devices never share an id, but a wrapper of an SDK may send a constant.
            return RequestKey(text: call + " " + id + " " + (shortText("hardware_id") ?? ""))
        }
        guard let number = text("retryNumber").flatMap({ Int($0) }) else { return nil }
        let told = members.filter { key, _ in !["retryNumber", "instrumentation"].contains(key) }
        let hash = SHA256.hash(data: JSON.object(told).sorted.bytes).map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }
        return RequestKey(text: call + " " + hash.joined(), window: .seconds(60), isFirstTry: number == 0)
    }
}

extension JSON {
    /// The same value with the keys of every object in the order of their text.
    fileprivate var sorted: JSON {
        switch self {
        case .array(let elements): .array(elements.map(\.sorted))
        case .object(let members):
            .object(JSONObject(members.sorted { $0.key < $1.key }.map { (key: $0.key, value: $0.value.sorted) }))
        default: self
        }
    }
}
