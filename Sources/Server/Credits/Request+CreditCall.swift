import BranchWire
import Hummingbird
import LindenLedger

extension Request {
    /// Returns the credit call with the keys that identify its retries: the header `Idempotency-Key`, and the request key of SDKs, which do
    /// not send that header.
    func creditCall(_ name: String, _ fields: RequestFields, isTrusted: Bool) throws -> CreditCall {
        try CreditCall(
            idempotencyKey: header(.idempotencyKey), requestKey: fields.requestKey(for: name), isTrusted: isTrusted)
    }

    /// The fields of a call: in the query of a GET, else in the body.
    func fields(_ options: ServerOptions) async throws -> RequestFields {
        guard method == .get else { return try await fields(upTo: options.maximumSmallBodyBytes) }
        return try RequestFields(query: rawQuery ?? "").withSecret(secretHeader)
    }
}
