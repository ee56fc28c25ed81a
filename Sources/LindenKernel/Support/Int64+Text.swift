extension Int64 {
    /// The number with a thin separator between thousands, such as `12,345`.
    package var grouped: String {
        var digits = String(magnitude)
        var groups: [Substring] = []
        while digits.count > 3 {
            groups.insert(Substring(digits.suffix(3)), at: 0)
            digits.removeLast(3)
        }
        groups.insert(digits[...], at: 0)
        return (self < 0 ? "−" : "") + groups.joined(separator: ",")
    }

    /// A number of bytes in a unit in which it has few digits, such as `1.5 GiB`.
    package var asBytes: String {
        for (unit, name) in [(1 << 40, "TiB"), (1 << 30, "GiB"), (1 << 20, "MiB"), (1 << 10, "KiB")] as [(Int64, String)]
        where self >= unit {
            let tenths = self / unit * 10 + self % unit * 10 / unit
            return "\((tenths / 10).grouped).\(tenths % 10) \(name)"
        }
        return "\(self) bytes"
    }

    /// A number of seconds in its two largest units, such as `3 days 4 hours`.
    package var asUptime: String {
        let parts = [(86_400, "day"), (3600, "hour"), (60, "minute")].map { unit, name in
            (count: self / unit % (name == "day" ? .max : name == "hour" ? 24 : 60), name: name)
        }
        let shown = parts.drop { $0.count == 0 }.prefix(2).filter { $0.count > 0 }
        guard !shown.isEmpty else { return "less than a minute" }
        return shown.map { "\($0.count) \($0.name)\($0.count == 1 ? "" : "s")" }.joined(separator: " ")
    }
}
