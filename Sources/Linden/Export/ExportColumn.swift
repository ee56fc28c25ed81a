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
    /// What is written where a row has nothing: an empty list or object where the column holds those, as in Branch's exports.
    let empty: ExportValue
    /// Whether it holds ids that Linden makes: numbers of 18 digits, which a reader that takes them for floating-point numbers rounds.
    let isID: Bool

    /// Whether it is made of what a row was credited to, and is not a value of that as it stands.
    let asksTouches: Bool

    private init(_ name: String, _ source: Source, _ parts: ExportRow.Parts, of topic: ExportTopic, asksTouches: Bool = false) {
        self.asksTouches = asksTouches
        self.name = name
        self.source = source
        self.parts = parts
        empty = Self.empty(name)
        isID = Self.isID(name, of: topic)
    }

    /// Nil for a name that is no column's.
    private init?(_ name: String, of topic: ExportTopic) {
        if topic.isOld {
            guard let names = Self.oldNames[topic], names.contains(name) else { return nil }
            self.init(
                name, Self.oldValue(name, of: topic).map(Source.value) ?? .nothing, .all, of: topic, asksTouches: true)
        } else if let index = ExportTouch.index(ofColumn: name), name != "last_attributed_touch_data_plus_touch_id" {
            self.init(name, .touch(index), .touch, of: topic)
        } else if Self.known.contains(name) {
            guard let value = Self.value(name) else {
                self.init(name, .nothing, [], of: topic)
                return
            }
            self.init(
                name, .value(value), Self.parts(name), of: topic,
                asksTouches: name == "last_attributed_touch_data_custom_fields")
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

    /// Columns by their names, in the order asked for. `all` and `native` stand for several. Fails with `invalid` for a name that is none.
    package static func columns(named names: [String], of topic: ExportTopic) throws -> [ExportColumn] {
        var columns: [ExportColumn] = []
        for column in try (names.isEmpty ? ["all"] : names).flatMap({ try Self.columns(named: $0, of: topic) }) {
            guard !columns.contains(where: { $0.name == column.name }) else {
                throw Failure.invalid("The field \(column.name) is named twice.")
            }
            columns.append(column)
        }
        return columns
    }

    private static func columns(named name: String, of topic: ExportTopic) throws -> [ExportColumn] {
        switch name {
        case "all" where topic.isOld: all(of: topic)
        case "all": all(of: topic) + [try column(named: linkURL, of: topic)]
        case "native" where !topic.isOld: nativeNames.compactMap { ExportColumn($0, of: topic) }
        default: [try column(named: name, of: topic)]
        }
    }

    /// The address of the link that a row is credited to.
    static let linkURL = "last_attributed_touch_data_plus_url"

    static func column(named name: String, of topic: ExportTopic) throws -> ExportColumn {
        guard let column = ExportColumn(name, of: topic) else { throw Failure.noSuchField(name, of: topic) }
        return column
    }

    static let known = Set(names + customNames)
}

extension ExportColumn {
    fileprivate static func empty(_ name: String) -> ExportValue {
        let lists = ["tags", "plus_via_features", "cross_platform_ids", "content_items"]
        let objects = ["custom_fields", "custom_data", "link_data", "metadata"]
        if lists.contains(where: { name.hasSuffix($0) }) { return .json(.array([])) }
        return objects.contains(where: { name.hasSuffix($0) }) || name == "data" ? .json(.object([:])) : .none
    }

    /// Ids that others give, such as those of campaigns, transactions and devices, are as they are reported.
    fileprivate static func isID(_ name: String, of topic: ExportTopic) -> Bool {
        guard topic.isOld else {
            return name == "id" || name == "app_id" || name.hasSuffix("_tilde_id") || name.hasSuffix("_touch_id")
        }
        return name == "id" || name.hasSuffix("_id") && !name.hasSuffix("hardware_id") && !name.hasSuffix("advertising_id")
    }
}

extension Failure {
    fileprivate static func noSuchField(_ name: String, of topic: ExportTopic) -> Failure {
        let several = topic.isOld ? ["all"] : ["all", "native"]
        return .invalid(
            "There is no field \"\(name)\" in \(topic.rawValue). Fields are \(several.joined(separator: ", ")), or any of "
                + ExportColumn.known(of: topic).map(\.name).joined(separator: ", ") + ".")
    }
}
