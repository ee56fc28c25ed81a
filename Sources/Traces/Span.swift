/// A piece of work in a trace, with its time.
package struct Span: Sendable {
    package enum Kind: Int, Sendable {
        // The numbers of OTLP.
        case `internal` = 1
        case server = 2
    }

    package enum Value: Sendable, Equatable {
        case text(String)
        case number(Int)
    }

    package let context: TraceContext
    /// The span that it is a part of; nil for the first of a trace.
    package let parent: String?
    package let name: String
    package let kind: Kind
    /// Nanoseconds since 1970.
    package let start: UInt64
    package let end: UInt64
    package var attributes: [(name: String, value: Value)] = []
    package var hasFailed = false

    package init(
        _ name: String, _ kind: Kind = .internal, context: TraceContext, parent: String?, from start: UInt64, to end: UInt64
    ) {
        self.name = name
        self.kind = kind
        self.context = context
        self.parent = parent
        self.start = start
        self.end = end
    }

}
