import LindenKernel

/// An error that a driver reports.
package protocol DriverError: Error, CustomStringConvertible {
    /// The error as a ``Failure``; nil for one that is a bug.
    var failure: Failure? { get }
    /// Whether another process holds what a call needs: it says nothing about the database.
    var isBusy: Bool { get }
    /// Whether stored data is damaged.
    var isDamage: Bool { get }
    /// The reason why a database cannot be used, for the operator: what follows its name.
    var openingProblem: String { get }
}
