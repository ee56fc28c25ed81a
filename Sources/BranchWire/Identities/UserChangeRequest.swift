import Linden

/// `POST /v1/profile` and `POST /v1/logout`, of SDKs that leave users to the server.
package struct UserChangeRequest: Sendable {
    private let body: RequestFields
    private let call: String

    package init(_ body: RequestFields, call: String) {
        self.body = body
        self.call = call
    }

    package func change(_ ids: PublicIDs) -> UserChange {
        UserChange(
            tokens: body.tokens(ids), description: DeviceDescription(body), isBrowser: WebQuirks.isWeb(body),
            requestKey: body.requestKey(for: call))
    }
}
