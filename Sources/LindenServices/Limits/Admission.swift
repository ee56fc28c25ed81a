import Linden
import LindenKernel
import Synchronization

/// The rate limiting of one API request: its kind, its client address and, once its key is known, the bucket that it counts against.
package final class Admission: Sendable {
    private let limiter: RateLimiter
    private let call: LimitedCall
    private let address: ClientAddress
    private let isCounted = Atomic(false)
    private let holder = Mutex<(scope: Scope, hasSecret: Bool)?>(nil)

    /// - Parameter limiter: has already counted the request as a ``LimitedCall/request``.
    package init(_ call: LimitedCall, from address: ClientAddress, by limiter: RateLimiter) {
        self.limiter = limiter
        self.call = call
        self.address = address
    }

    /// Counts the request against its key, or against its secret if that is valid. Fails with `rateLimited`.
    ///
    /// - Parameters:
    ///   - bytes: the length of the body.
    ///   - amount: the number of items requested at once, such as the links of a bulk request.
    package func admit(_ scope: Scope, hasSecret: Bool, bytes: Int, amount: Int = 1) throws(Failure) {
        isCounted.store(true, ordering: .relaxed)
        holder.withLock { $0 = (scope, hasSecret) }
        try limiter.admit(call, of: scope, from: address, hasSecret: hasSecret, amount: max(1, amount))
        guard call.storesBody, bytes > 0 else { return }
        try limiter.admit(.store, of: scope, from: address, hasSecret: hasSecret, amount: bytes)
    }

    /// Counts a request that an access token authorizes, or a signed URL if the token is nil. Fails with `rateLimited`.
    ///
    /// - Parameter amount: the number of items requested at once, such as the links of a file.
    package func admit(_ scope: Scope, token: AccessToken.ID?, amount: Int = 1) throws(Failure) {
        isCounted.store(true, ordering: .relaxed)
        guard amount > 0 else { return }
        try limiter.admit(call, of: scope, token: token, from: address, amount: amount)
    }

    /// Counts bytes that were stored for the request in addition to its body, such as a session's copy of a link's data.
    package func charge(bytes: Int) {
        guard let holder = holder.withLock({ $0 }) else { return }
        limiter.charge(.store, of: holder.scope, from: address, hasSecret: holder.hasSecret, amount: bytes)
    }

    /// Counts a request without a key, or one that failed before its key was verified, against its address. Does nothing if the request was
    /// counted already. Fails with `rateLimited`.
    package func countWithoutKey() throws(Failure) {
        guard !isCounted.exchange(true, ordering: .relaxed) else { return }
        try limiter.admit(call, of: nil, from: address)
    }
}
