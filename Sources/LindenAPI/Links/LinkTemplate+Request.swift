import BranchWire
import Linden
import LindenKernel
import LindenServices

extension LinkTemplate {
    /// The members of a request of the management API that stores a template.
    package static let members = ["name", "channel", "feature", "campaign", "stage", "tags", "data"]

    /// Reads a request. Fails with `invalid` and the name of the field.
    package init(_ body: RequestFields) throws {
        guard let name = try body.strictText("name") else { throw Failure.invalid("name is missing: that of the template.") }
        self.init(name: name, labels: try body.labels(), data: try body.linkData() ?? [:])
    }
}
