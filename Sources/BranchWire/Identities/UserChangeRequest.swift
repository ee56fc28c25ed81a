import Linden
import LindenKernel

/// A request of `POST /v1/profile` or `POST /v1/logout`, from SDKs that leave identities to the server.
package struct UserChangeRequest: Sendable {
    private let body: RequestFields
    private let call: String

    package init(_ body: RequestFields, call: String) {
        self.body = body
        self.call = call
    }

    /// - Parameter address: the client's, since the answer has the tokens of a session.
    package func change(_ ids: PublicIDs, from address: ClientAddress) -> UserChange {
        let sdk = SDKVersion(body)
        let isBrowser = sdk.family == .web
        var description = DeviceDescription(body, sdk: sdk)
        if isBrowser { description.forgetIDs() }
        return UserChange(
            tokens: body.tokens(ids), description: description, isBrowser: isBrowser,
            requestKey: body.requestKey(for: call, from: address))
    }
}
