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
        var table = try CSVTable(names, upTo: mostBytes)
        // One after another: there may be 200,000.
        try forEachRow { row in
            let members = row.flattened
            try table.add(names.map { ExportValue(members[$0]) })
        }
        return table.bytes
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
