/// The version of Linden.
package enum LindenVersion {
    package static let current = "0.1.0"
}
