import Linden
import LindenKernel
import LindenServices
import LindenTesting
import Testing

extension Exchange {
    /// The reference of the session that an SDK was answered.
    func reference(toSession token: String?) throws -> String {
        services.publicIDs.reference(to: try #require(services.publicIDs.id(for: token ?? "", of: Session.self)))
    }
}
