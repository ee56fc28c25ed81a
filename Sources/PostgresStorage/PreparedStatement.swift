/// A statement that a connection has prepared under a name, until this object ends; or the text of one that is sent without a name each time,
/// see ``PostgresOptions/prepares``.
final class PreparedStatement {
    let name: String
    /// Nil for a statement with a name.
    let text: String?
    private let discarded: DiscardedStatements?

    init(name: String, discarded: DiscardedStatements) {
        self.name = name
        text = nil
        self.discarded = discarded
    }

    init(text: String) {
        name = ""
        self.text = text
        discarded = nil
    }

    deinit {
        discarded?.add(name)
    }
}

/// The names of statements that a connection no longer uses, and the server still has.
final class DiscardedStatements {
    private var names: [String] = []

    func add(_ name: String) {
        names.append(name)
    }

    func take() -> [String] {
        defer { names = [] }
        return names
    }
}
