import Linden

extension RequestFields {
    /// By what a retry of this call is recognised; nil for callers that give no hint.
    ///
    /// SDKs since 2022 send an id that stays the same over retries. Older ones number their tries: a try with a number above 0 is a
    /// retry of an equal body within a minute, where the number itself and the timings of the last answer do not count.
    ///
    /// - Parameter call: the path, so that two calls with one id are two.
    package func requestKey(for call: String) -> RequestKey? {
        if let id = text("branch_sdk_request_unique_id"), id.utf8.count <= Self.longestID {
            // Two devices never share an id, but a wrapper of an SDK may send a constant.
            return RequestKey(text: call + " " + id + " " + (shortText("hardware_id") ?? ""))
        }
        guard let number = text("retryNumber").flatMap({ Int($0) }) else { return nil }
        let told = members.filter { key, _ in !["retryNumber", "instrumentation"].contains(key) }
        return RequestKey(text: call + " " + JSON.object(told).sorted.hash, window: .seconds(60), isFirstTry: number == 0)
    }
}
