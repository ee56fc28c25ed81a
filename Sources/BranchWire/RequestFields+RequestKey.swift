import Linden
import LindenKernel

extension RequestFields {
    /// Returns the idempotency key of this call; nil for callers that send nothing to recognise a retry by.
    ///
    /// SDKs since 2022 send an id that stays the same over retries. Older ones number their tries: a try with a number above 0 is a retry
    /// if an equal body arrived within the last minute, where the number itself and the timings of the previous response are ignored.
    ///
    /// - Parameters:
    ///   - call: the path, so that two different calls with one id stay distinct.
    ///   - address: the client's address, for calls whose response must not reach other clients: numbered tries from another address are
    ///     then another call.
    package func requestKey(for call: String, from address: ClientAddress? = nil) -> RequestKey? {
        if let id = text("branch_sdk_request_unique_id"), id.utf8.count <= Self.longestID {
            // Device ids are unique, and separate the calls of SDK wrappers that send a constant request id. They are hashed, since stored
            // keys must not reveal devices.
            return RequestKey(text: call + " " + JSON.array([.string(id), .string(shortText("hardware_id") ?? "")]).hash)
        }
        guard let number = text("retryNumber").flatMap({ Int($0) }) else { return nil }
        let compared = members.without(["retryNumber", "instrumentation"])
        let key = RequestKey(text: call + " " + JSON.object(compared).sorted.hash, window: .seconds(60), isFirstTry: number == 0)
        return address.map { key.bound(to: $0) } ?? key
    }
}
