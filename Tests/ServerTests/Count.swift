import Synchronization

/// A number that several tasks change.
final class Count: Sendable {
    private let number = Mutex(0)

    /// Adds to the number and returns the sum.
    @discardableResult
    func add(_ difference: Int) -> Int {
        number.withLock { number in
            number += difference
            return number
        }
    }
}
