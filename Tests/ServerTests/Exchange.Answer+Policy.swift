import Foundation
import HTTPTypes
import LindenTesting
import Testing

extension Exchange.Answer {
    /// The content security policy.
    var policy: String { headers[.contentSecurityPolicy] ?? "" }
}
