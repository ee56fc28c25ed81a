/// The pace of long work on threads that others use, too. After some milliseconds the work goes to the end of the queue for the threads, so
/// that many long downloads delay one another, and whatever else waits for the threads, by milliseconds.
package struct WorkPace {
    private static let longestStretch = Duration.milliseconds(5)

    private var resumedAt = ContinuousClock.now

    package init() {}

    /// Lets others use the thread if the work has had it for long enough. Takes tens of nanoseconds otherwise, so it may be called for each
    /// row.
    package mutating func pauseIfDue() async {
        guard .now - resumedAt >= Self.longestStretch else { return }
        await Task.yield()
        resumedAt = .now
    }
}
