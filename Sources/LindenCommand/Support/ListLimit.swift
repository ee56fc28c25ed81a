import ArgumentParser

extension ParsableArguments {
    /// Checks the option `--limit` of a list.
    func check(limit: Int, atMost most: Int = 1000) throws {
        guard (1...most).contains(limit) else { throw ValidationError("--limit must be from 1 to \(most).") }
    }
}
