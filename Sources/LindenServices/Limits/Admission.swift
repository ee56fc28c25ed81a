import Linden
import LindenKernel
import Synchronization

/// The rate limiting of one API request: its kind, its client address and, once its key is known, the bucket that it counts against.
package final class Admission: Sendable {
    private struct State {
        var holder: (scope: Scope, hasSecret: Bool)?
        /// Whether an operator makes the request: with an access token, or in the dashboard.
        var isOperators = false
        /// The bytes of the body, as far as they were not counted for an operator.
        var body = 0

        /// Returns the bytes of an operator's body that are to be counted now, with what a row and the audit log take besides.
        mutating func takeBody() -> (scope: Scope, bytes: Int)? {
            guard isOperators, body > 0, let holder else { return nil }
            defer { body = 0 }
            return (holder.scope, body + min(body, Admission.auditBytes) + Admission.rowBytes)
        }
    }

    /// That of the call which the task handles.
    @TaskLocal package static var current: Admission?

    private static let rowBytes = 1 << 10
    private static let auditBytes = 20 << 10

    private let limiter: RateLimiter
    private let call: LimitedCall
    private let address: ClientAddress
    private let isCounted = Atomic(false)
    private let state = Mutex(State())

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
        state.withLock { $0.holder = (scope, hasSecret) }
        try limiter.admit(call, of: scope, from: address, hasSecret: hasSecret, amount: max(1, amount))
        guard call.storesBody, bytes > 0 else { return }
        try limiter.admit(.store, of: scope, from: address, hasSecret: hasSecret, amount: bytes)
    }

    /// Counts a request that an access token authorizes, or a signed URL if the token is nil. Fails with `rateLimited`.
    ///
    /// - Parameter amount: the number of items requested at once, such as the links of a file.
    package func admit(_ scope: Scope, token: AccessToken.ID?, amount: Int = 1) throws(Failure) {
        isCounted.store(true, ordering: .relaxed)
        if amount > 0 { try limiter.admit(call, of: scope, token: token, from: address, amount: amount) }
        if token != nil { try admitOperator(of: scope) }
    }

    /// Says that an operator of the app makes the request. Its body counts as data that the app's own servers store, when it is read or if it
    /// was. Fails with `rateLimited`.
    package func admitOperator(of scope: Scope) throws(Failure) {
        state.withLock { state in
            state.holder = (scope, true)
            state.isOperators = true
        }
        try admitBody()
    }

    /// The app for which an operator, or a server with its secret, makes the request; nil for other callers, and for a request about no single
    /// app.
    package var authorizedApp: App.ID? { state.withLock { $0.holder.flatMap { $0.hasSecret ? $0.scope.app : nil } } }

    /// Says for which app an authorized caller makes the request, without counting it.
    package func belongs(to app: App.ID) {
        state.withLock { $0.holder = (Scope(app: app, mode: .live), true) }
    }

    /// Counts links that the operator's request creates or changes, as such calls of the API count. Fails with `rateLimited`.
    package func admit(_ call: LimitedCall, amount: Int = 1) throws(Failure) {
        guard let holder = state.withLock({ $0.holder }) else { return }
        try limiter.admit(call, of: holder.scope, token: nil, from: address, amount: amount)
    }

    /// Notes that the body was read. Fails with `rateLimited` if it is an operator's and more than the app may store.
    package func read(bodyOf bytes: Int) throws(Failure) {
        guard call.storesBody else { return }
        state.withLock { $0.body = bytes }
        try admitBody()
    }

    private func admitBody() throws(Failure) {
        guard let (scope, bytes) = state.withLock({ $0.takeBody() }) else { return }
        try limiter.admit(.store, of: scope, from: address, hasSecret: true, amount: bytes)
    }

    /// Counts bytes that were stored for the request in addition to its body, such as a session's copy of a link's data.
    package func charge(bytes: Int) {
        guard let holder = state.withLock({ $0.holder }) else { return }
        limiter.charge(.store, of: holder.scope, from: address, hasSecret: holder.hasSecret, amount: bytes)
    }

    /// Counts a request that took as long as several as so many more.
    package func charge(calls: Int) {
        guard let holder = state.withLock({ $0.holder }) else { return }
        limiter.charge(call, of: holder.scope, from: address, hasSecret: holder.hasSecret, amount: calls)
    }

    /// Counts a request without a key, or one that failed before its key was verified, against its address. Does nothing if the request was
    /// counted already. Fails with `rateLimited`.
    package func countWithoutKey() throws(Failure) {
        guard !isCounted.exchange(true, ordering: .relaxed) else { return }
        try limiter.admit(call, of: nil, from: address)
    }
}
