extension Int64 {
    /// Formats seconds in the two largest units: `2 hours 41 minutes`.
    package var inWords: String {
        guard self > 0 else { return "less than a second" }
        let units: [(name: String, seconds: Int64)] = [("day", 86400), ("hour", 3600), ("minute", 60), ("second", 1)]
        var rest = self
        let parts = units.map { unit -> Int64 in
            defer { rest %= unit.seconds }
            return rest / unit.seconds
        }
        let first = parts.firstIndex { $0 > 0 } ?? parts.endIndex - 1
        let said = parts.indices[first...].prefix(2).filter { parts[$0] > 0 }
        return said.map { parts[$0].counting(units[$0].name) }.joined(separator: " ")
    }

    /// `1 click`, `2 clicks`.
    package func counting(_ thing: String) -> String { "\(self) \(thing)\(self == 1 ? "" : "s")" }
}
