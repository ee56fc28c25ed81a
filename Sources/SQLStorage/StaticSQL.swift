import Linden
import LindenKernel
import Synchronization

/// A statement with constant text for the rows of each request. A connection finds it by its number, without hashing the text, and its
/// parameters are bound one by one, without collecting values. Must be stored in a static property: each one is prepared once.
package struct StaticSQL: Sendable {
    /// The position in the statements of a connection.
    package let number: Int
    /// Parameters are `$1`, `$2` …, and first appear in this order.
    package let text: String

    private static let count = Atomic<Int>(0)

    package init(_ text: String) {
        number = Self.count.wrappingAdd(1, ordering: .relaxed).oldValue
        self.text = text
    }

    /// Whether the parameters first appear in the order of their numbers.
    package var bindsInOrder: Bool {
        var seen = 0
        for piece in text.split(separator: "$", omittingEmptySubsequences: false).dropFirst() {
            guard let number = Int(piece.prefix { $0.isASCII && $0.isNumber }) else { return false }
            guard number <= seen + 1 else { return false }
            seen = max(seen, number)
        }
        return true
    }

    /// Creates the INSERT of a row, with one parameter for each column.
    ///
    /// - Parameters:
    ///   - columns: the names of the columns, separated by commas.
    ///   - clauses: what follows the values, such as `ON CONFLICT`.
    package init(insertInto table: String, _ columns: String, _ clauses: String = "") {
        let parameters = (1...columns.split(separator: ",").count).map { "$\($0)" }.joined(separator: ", ")
        self.init("INSERT INTO \(table) (\(columns)) VALUES (\(parameters)) \(clauses)")
    }
}

/// The parameters of a ``StaticSQL``: each call binds the next one. Nil is bound as `NULL`.
package protocol SQLBindings: AnyObject {
    func bind(_ integer: Int64?)
    func bind(_ text: String?)
}

extension SQLBindings {
    /// Binds an app and a mode as two parameters.
    func bind(_ scope: Scope) {
        bind(scope.app.rawValue)
        bind(scope.mode.rawValue)
    }

    func bind<Entity>(_ id: Identifier<Entity>?) { bind(id?.rawValue) }

    func bind(_ time: Timestamp) { bind(time.milliseconds) }

    func bind(_ flag: Bool) { bind(Int64(flag ? 1 : 0)) }
}
