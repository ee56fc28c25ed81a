/// A column of an export: its name and what stands in it for a row.
package struct ExportColumn: Sendable {
    typealias Value = @Sendable (ExportRecord) -> ExportValue

    enum Source: Sendable {
        /// Linden records nothing of the kind, so it is always empty.
        case nothing
        /// By its index in ``ExportTouch/keys``: the same for all rows of one link.
        case touch(Int)
        case value(Value)
    }

    package let name: String
    let source: Source
    /// What of a row has to be read for it.
    let parts: ExportRow.Parts

    /// Whether it is made of what a row was credited to, and is not a value of that as it stands.
    let asksTouches: Bool

    private init(_ name: String, _ source: Source, _ parts: ExportRow.Parts, asksTouches: Bool = false) {
        self.asksTouches = asksTouches
        self.name = name
        self.source = source
        self.parts = parts
    }

    /// Nil for a name that is no column's.
    private init?(_ name: String, of topic: ExportTopic) {
        if topic.isOld {
            guard let names = Self.oldNames[topic], names.contains(name) else { return nil }
            self.init(name, Self.oldValue(name, of: topic).map(Source.value) ?? .nothing, .all, asksTouches: true)
        } else if let index = ExportTouch.index(ofColumn: name), name != "last_attributed_touch_data_plus_touch_id" {
            self.init(name, .touch(index), .touch)
        } else if Self.known.contains(name) {
            guard let value = Self.value(name) else {
                self.init(name, .nothing, [])
                return
            }
            self.init(name, .value(value), Self.parts(name), asksTouches: name == "last_attributed_touch_data_custom_fields")
        } else {
            return nil
        }
    }

    func value(_ record: ExportRecord) -> ExportValue {
        switch source {
        case .nothing: .none
        case .touch(let index): record.touch?.values[index] ?? .none
        case .value(let value): value(record)
        }
    }

    /// Every column of a topic's file as Branch has it, in its order.
    package static func all(of topic: ExportTopic) -> [ExportColumn] {
        (oldNames[topic] ?? names).compactMap { ExportColumn($0, of: topic) }
    }

    /// Every column that may be asked for, also those that only Branch's custom exports have.
    package static func known(of topic: ExportTopic) -> [ExportColumn] {
        (oldNames[topic] ?? names + customNames).compactMap { ExportColumn($0, of: topic) }
    }

    /// Columns by their names, in the order asked for; `all` and `native` stand for several. Fails with `invalid` for a name that is none.
    package static func columns(named names: [String], of topic: ExportTopic) throws -> [ExportColumn] {
        switch names {
        case [], ["all"]: return all(of: topic)
        case ["native"] where !topic.isOld: return nativeNames.compactMap { ExportColumn($0, of: topic) }
        default: break
        }
        var columns: [ExportColumn] = []
        for name in names {
            let column = try column(named: name, of: topic)
            guard !columns.contains(where: { $0.name == name }) else { throw Failure.invalid("The field \(name) is named twice.") }
            columns.append(column)
        }
        return columns
    }

    static func column(named name: String, of topic: ExportTopic) throws -> ExportColumn {
        guard let column = ExportColumn(name, of: topic) else { throw Failure.noSuchField(name, of: topic) }
        return column
    }

    static let known = Set(names + customNames)
}

extension Failure {
    fileprivate static func noSuchField(_ name: String, of topic: ExportTopic) -> Failure {
        let several = topic.isOld ? ["all"] : ["all", "native"]
        return .invalid(
            "There is no field \"\(name)\" in \(topic.rawValue). Fields are \(several.joined(separator: ", ")), or any of "
                + ExportColumn.known(of: topic).map(\.name).joined(separator: ", ") + ".")
    }
}
