/// A counter of the changes that other processes made to the data.
package protocol ChangeCounter: Sendable {
    /// The number of observed changes by other processes. Caches compare it; it increases within a second of a change.
    var foreignChanges: Int { get }
}
