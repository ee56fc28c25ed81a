/// A column of an export: its name and what stands in it for a row.
package struct ExportColumn: Sendable {
    package let name: String
    /// The name as the key of a JSON member, with its colon.
    let key: [UInt8]
    let value: Value

    /// Nil for a name that is no column's.
    private init?(_ name: String) {
        if let index = ExportTouch.index(ofColumn: name), name != "last_attributed_touch_data_plus_touch_id" {
            value = { $0.touch?.values[index] ?? .none }
        } else if Self.known.contains(name) {
            value = Self.value(name) ?? { _ in .none }
        } else {
            return nil
        }
        self.name = name
        key = JSON.string(name).bytes + [UInt8(ascii: ":")]
    }

    /// The columns of Branch's daily exports, in their order.
    package static let all = names.compactMap(ExportColumn.init)

    /// Those that Linden knows of every kind of row, for whoever wants a small and fast export.
    package static let native = [
        "id", "name", "timestamp", "last_attributed_touch_timestamp", "last_attributed_touch_data_tilde_id",
        "last_attributed_touch_data_tilde_campaign", "last_attributed_touch_data_tilde_channel",
        "last_attributed_touch_data_tilde_feature", "user_data_os", "user_data_os_version", "user_data_model", "user_data_browser",
        "user_data_geo_country_code", "user_data_platform", "user_data_developer_identity",
    ].compactMap(ExportColumn.init)

    /// Columns by their names, in the order asked for; `all` and `native` stand for several. Fails with `invalid` for a name that is none.
    package static func columns(named names: [String]) throws -> [ExportColumn] {
        switch names {
        case [], ["all"]: return all
        case ["native"]: return native
        default: break
        }
        var columns: [ExportColumn] = []
        for name in names {
            guard let column = ExportColumn(name) else { throw Failure.noSuchField(name) }
            guard !columns.contains(where: { $0.name == name }) else { throw Failure.invalid("The field \(name) is named twice.") }
            columns.append(column)
        }
        return columns
    }

    static func column(named name: String) throws -> ExportColumn {
        guard let column = ExportColumn(name) else { throw Failure.noSuchField(name) }
        return column
    }

    static let known = Set(names + customNames)
}

extension Failure {
    fileprivate static func noSuchField(_ name: String) -> Failure {
        .invalid(
            "There is no field \"\(name)\". Fields are all, native, or any of "
                + (ExportColumn.names + ExportColumn.customNames).joined(separator: ", ") + ".")
    }
}
