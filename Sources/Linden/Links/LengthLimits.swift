/// The maximum lengths that Branch documents, in characters.
package enum LengthLimits {
    package static let alias = 128
    package static let label = 128
    package static let tag = 64
    package static let identity = 127
}
