import Linden
import LindenKernel

/// A request of `POST /v1/close`, sent by SDKs up to iOS 2.2 and Android 5.6 when the app goes to the background.
package struct CloseRequest: Sendable {
    private let body: RequestFields

    package init(_ body: RequestFields) {
        self.body = body
    }

    /// Returns the session that ends; nil if the SDK sent no session id of Linden's.
    package func session(_ ids: PublicIDs) -> Session.ID? {
        body.text("session_id").flatMap { ids.id(for: $0) }
    }
}
