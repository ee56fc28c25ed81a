import ArgumentParser

/// Whether links go to the archive or come back from it.
struct ArchiveOption: ParsableArguments {
    @Flag(help: "Archive: lists leave it out unless asked with --state archived. It leads where it led.")
    var archive = false
    @Flag(help: "Restore from the archive.")
    var restore = false

    /// Nil to leave it as it is.
    var isArchived: Bool? { archive ? true : restore ? false : nil }

    func validate() throws {
        if archive, restore { throw ValidationError("Give --archive or --restore, not both.") }
    }
}
