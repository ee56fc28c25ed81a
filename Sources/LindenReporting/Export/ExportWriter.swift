/// A writer of rows whose steps are computed once for an export. Most cells are empty or belong to a touch, and are copied as bytes.
struct ExportWriter: Sendable {
    private enum Step: Sendable {
        case bytes([UInt8])
        /// Consecutive columns of the touch, by their index in ``ExportTouch/written``.
        case touch(Int)
        case value(ExportColumn.Value, Cell)
    }

    /// The properties of a column that writing its values requires.
    private struct Cell: Sendable {
        /// Written if there is no value.
        let empty: ExportValue
        /// Whether the value is an id that is written as text.
        let isTextID: Bool

        func written(_ value: ExportValue) -> ExportValue {
            if case .none = value { return empty }
            return isTextID ? value.asTextID : value
        }
    }

    private let format: ExportFormat
    private let times: ExportTimes
    private var steps: [Step] = []
    /// The columns of each sequence of touch columns, each with the bytes before it.
    private var touches: [[(lead: [UInt8], index: Int, cell: Cell)]] = []
    private var untouched: [[UInt8]] = []
    /// The bytes of a row besides its values.
    let rowBytes: Int

    init(
        _ columns: [ExportColumn], _ format: ExportFormat, times: ExportTimes = .branch(in: nil), ids: ExportIDs = .number
    ) {
        self.format = format
        self.times = times
        var plain: [UInt8] = []
        for (index, column) in columns.enumerated() {
            let lead = format.lead(column.name, isFirst: index == 0)
            let cell = Cell(empty: column.empty, isTextID: ids == .text && column.isID)
            switch column.source {
            case .nothing:
                plain += lead
                format.write(cell.empty, times: times, to: &plain)
            case .value(let value):
                steps.append(.bytes(plain + lead))
                steps.append(.value(value, cell))
                plain = []
            case .touch(let touch):
                if plain.isEmpty, case .touch? = steps.last {
                    touches[touches.count - 1].append((lead, touch, cell))
                } else {
                    steps.append(.bytes(plain))
                    steps.append(.touch(touches.count))
                    touches.append([(lead, touch, cell)])
                    plain = []
                }
            }
        }
        steps.append(.bytes(plain + format.end))
        rowBytes =
            steps.reduce(0) { if case .bytes(let bytes) = $1 { $0 + bytes.count } else { $0 } }
            + touches.joined().reduce(0) { $0 + $1.lead.count }
        untouched = write(touch: nil)
    }

    func write(_ record: ExportRecord, to output: inout [UInt8]) {
        let start = output.count
        for step in steps {
            switch step {
            case .bytes(let bytes): output.append(contentsOf: bytes)
            case .touch(let index): output.append(contentsOf: (record.touch?.written ?? untouched)[index])
            case .value(let value, let cell): format.write(cell.written(value(record)), times: times, to: &output)
            }
        }
        // Readers skip empty lines, so an empty row is written as a quoted empty text.
        if output.count - start == format.end.count { output.insert(contentsOf: Array("\"\"".utf8), at: start) }
    }

    /// Returns the written form of each sequence of touch columns.
    ///
    /// - Parameter values: the values in the order of ``ExportTouch/keys``; nil for no touch.
    func write(touch values: [ExportValue]?) -> [[UInt8]] {
        touches.map { stretch in
            var output: [UInt8] = []
            for (lead, index, cell) in stretch {
                output += lead
                format.write(cell.written(values?[index] ?? .none), times: times, to: &output)
            }
            return output
        }
    }
}
