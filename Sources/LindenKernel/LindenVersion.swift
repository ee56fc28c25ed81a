/// The version of Linden.
package enum LindenVersion {
    package static let current = "0.1.0"

    /// The minor version, such as `0.1`. Within one, a database may go forward and back between patch versions.
    package static var minor: String { minor(of: current) }

    /// Returns the first two numbers of a version.
    package static func minor(of version: String) -> String {
        version.split(separator: ".").prefix(2).joined(separator: ".")
    }

    /// The version, and in a release build the commit that it was built from: `0.1.0 (8f3a2c19d0e4)`.
    package static var description: String { commit.map { "\(current) (\($0))" } ?? current }

    /// The first digits of the commit's hash; nil in a build of a working copy. `git archive` fills it in, see .gitattributes.
    private static var commit: Substring? { archived.hasPrefix("$") ? nil : archived.prefix(12) }

    private static let archived = "$Format:%H$"
}
