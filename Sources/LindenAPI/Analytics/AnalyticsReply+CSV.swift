import LindenKernel
import LindenReporting

extension AnalyticsReply {
    /// Returns the rows as CSV in UTF-8, with a header line. Arrays have a column for each element, such as `retained_0`. Empty without rows.
    /// Fails with `invalid` if it is longer than a number of bytes.
    package func csv(upTo mostBytes: Int) throws -> [UInt8] {
        // Later cohorts have fewer days.
        var names: [String] = []
        forEachRow { row in
            let members = row.flattened
            if members.count > names.count { names = Array(members.keys) }
        }
        guard !names.isEmpty else { return [] }
        var output: [UInt8] = []
        func add(_ cells: [ExportValue]) throws {
            for (index, cell) in cells.enumerated() {
                output += ExportFormat.csv.lead(names[index], isFirst: index == 0)
                ExportFormat.csv.write(cell, to: &output)
            }
            output += ExportFormat.csv.end
            guard output.count <= mostBytes else {
                throw Failure.invalid(
                    "The file is longer than \(mostBytes) bytes. Use a smaller limit, a longer granularity, a shorter span or "
                        + "fewer dimensions.")
            }
        }
        try add(names.map(ExportValue.text))
        // One after another: there may be 200,000.
        try forEachRow { row in
            let members = row.flattened
            try add(names.map { ExportValue(members[$0]) })
        }
        return output
    }
}

extension JSONObject {
    /// The members, with each element of an array as a member of its own.
    fileprivate var flattened: JSONObject {
        var members: JSONObject = [:]
        for (name, value) in self {
            guard let elements = value.array else { members[name] = value; continue }
            for (index, element) in elements.enumerated() { members["\(name)_\(index)"] = element }
        }
        return members
    }
}
