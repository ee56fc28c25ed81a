import LinkRouting

/// The place of a piece of work in a trace (W3C Trace Context, https://www.w3.org/TR/trace-context/).
package struct TraceContext: Sendable, Equatable {
    /// 32 hexadecimal digits.
    package let traceID: String
    /// 16 hexadecimal digits.
    package let spanID: String

    /// The context of the current task's request; nil unless it is traced.
    @TaskLocal package static var current: TraceContext?

    package init(traceID: String, spanID: String) {
        self.traceID = traceID
        self.spanID = spanID
    }

    /// Begins a trace.
    static func new() -> Self { TraceContext(traceID: digits(16), spanID: newSpanID()) }

    static func newSpanID() -> String { digits(8) }

    private static func digits(_ bytes: Int) -> String {
        Hex.encode((0..<bytes).map { _ in UInt8.random(in: .min ... .max) })
    }
}

/// The header `traceparent`: the caller's place in its trace, and whether the caller records it.
struct TraceParent {
    let context: TraceContext
    let isRecorded: Bool

    /// Nil for a text of another form. A later version may have further fields.
    init?(_ header: String) {
        let fields = header.split(separator: "-", maxSplits: 4, omittingEmptySubsequences: false)
        guard fields.count >= 4, Self.isHexadecimal(fields[0], 2), fields[0] != "ff", fields.count == 4 || fields[0] != "00",
            Self.isHexadecimal(fields[1], 32), Self.isHexadecimal(fields[2], 16), Self.isHexadecimal(fields[3], 2),
            fields[1].contains(where: { $0 != "0" }), fields[2].contains(where: { $0 != "0" }),
            let flags = UInt8(fields[3], radix: 16)
        else { return nil }
        context = TraceContext(traceID: String(fields[1]), spanID: String(fields[2]))
        isRecorded = flags & 1 == 1
    }

    private static func isHexadecimal(_ text: Substring, _ count: Int) -> Bool {
        text.utf8.count == count
            && text.utf8.allSatisfy {
                (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains($0)
            }
    }
}
