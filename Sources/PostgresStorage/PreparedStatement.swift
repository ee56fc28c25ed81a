/// A statement that a connection has prepared under a name, until this object ends.
final class PreparedStatement {
    let name: String
    private let discarded: DiscardedStatements

    init(name: String, discarded: DiscardedStatements) {
        self.name = name
        self.discarded = discarded
    }

    deinit {
        discarded.add(name)
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
