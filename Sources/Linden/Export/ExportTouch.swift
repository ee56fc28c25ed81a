/// What an exported row was credited to, with a value ready for each `last_attributed_touch_data_` column.
struct ExportTouch: Sendable {
    /// What the link and its click said. Empty where nobody asks, as is all of the following but what is written.
    let data: JSONObject
    /// In the order of ``keys``.
    let values: [ExportValue]
    /// The link's own keys, which have no column.
    let customFields: ExportValue
    /// The same, written as an export has it; see ``ExportWriter``.
    let written: [[UInt8]]
    /// About how many bytes of memory it takes, and its row as it is written.
    let byteCost: Int

    /// - Parameter isWrittenOnly: whether nobody will ask for more than what is written: then that alone is kept.
    init(_ data: JSONObject, writer: ExportWriter, isWrittenOnly: Bool) {
        var values = [ExportValue](repeating: .none, count: Self.keys.count)
        var custom = JSONObject()
        for (key, value) in data {
            if let index = Self.indices[key] {
                values[index] = ExportValue(value)
            } else if !key.hasPrefix("+") {
                custom[key] = value
            }
        }
        written = writer.write(touch: values)
        self.data = isWrittenOnly ? [:] : data
        self.values = isWrittenOnly ? [] : values
        customFields = isWrittenOnly || custom.isEmpty ? .none : .json(.object(custom))
        byteCost =
            written.reduce(Self.overhead) { $0 + $1.count } + (isWrittenOnly ? 0 : Self.valueBytes + JSON.object(data).byteCost)
    }

    /// Bytes of its arrays and of its entry in a dictionary.
    private static let overhead = 300
    /// Bytes of some sixty values without their texts.
    private static let valueBytes = 3000

    static let prefix = "last_attributed_touch_data_"

    /// The keys of link data that have columns, as the columns' names are made of them: `~campaign` is in
    /// `last_attributed_touch_data_tilde_campaign`.
    static let keys: [String] = (ExportColumn.names + ExportColumn.customNames).compactMap(key(ofColumn:))

    private static let indices = Dictionary(uniqueKeysWithValues: keys.enumerated().map { ($1, $0) })

    static func index(ofColumn name: String) -> Int? { key(ofColumn: name).flatMap { indices[$0] } }

    private static func key(ofColumn name: String) -> String? {
        guard name.hasPrefix(prefix) else { return nil }
        let rest = name.dropFirst(prefix.count)
        for (word, sign) in [("tilde_", "~"), ("plus_", "+"), ("dollar_", "$")] where rest.hasPrefix(word) {
            return sign + rest.dropFirst(word.count)
        }
        return nil
    }
}
