import LindenKernel
import LinkRouting

/// The touch credited with a row, with a value for each `last_attributed_touch_data_` column.
struct ExportTouch: Sendable {
    /// The data of the link and its click. Like ``values`` and ``customFields``, it is empty if only ``written`` is needed.
    let data: JSONObject
    /// The values in the order of ``keys``.
    let values: [ExportValue]
    /// The keys of the link that have no column.
    let customFields: ExportValue
    /// The values in the format of the export, see ``ExportWriter``.
    let written: [[UInt8]]
    /// The approximate memory size in bytes, including the written form.
    let byteCost: Int

    /// - Parameter isWrittenOnly: whether only ``written`` will be used; then nothing else is stored.
    init(_ data: JSONObject, writer: ExportWriter, isWrittenOnly: Bool) {
        var values = [ExportValue](repeating: .none, count: Self.keys.count)
        var custom = JSONObject()
        for (key, value) in data {
            if let index = key.ifASCII.flatMap({ Self.indices[$0] }) {
                values[index] = ExportValue(value)
            } else if key.utf8.first != UInt8(ascii: "+") {
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

    /// The size in bytes of the arrays and of the entry in a dictionary.
    private static let overhead = 300
    /// The size in bytes of about sixty values without their texts.
    private static let valueBytes = 3000

    static let prefix = "last_attributed_touch_data_"

    /// The keys of link data that have columns. The names of the columns are derived from them: `~campaign` is in
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
