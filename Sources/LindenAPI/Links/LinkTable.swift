import BranchWire
import Linden
import LindenKernel
import LindenReporting

/// Links as CSV: the columns of the export, which an import reads.
package enum LinkTable {
    /// The columns that an import reads.
    private static let read = [
        "alias", "domain", "type", "channel", "feature", "campaign", "stage", "tags", "folder", "data", "duration", "expires_at",
        "expired_url", "max_clicks", "archived",
    ]
    /// The columns of the export that an import ignores.
    private static let ignored = ["id", "url", "created_at", "deleted_at"]

    package static let columns = ["url"] + read + ["id", "created_at", "deleted_at"]

    // MARK: Export

    static let header: [UInt8] = line(columns.map(ExportValue.text))

    /// - Parameter host: the host of links without one.
    static func line(_ link: Link, url: String, sharedHost host: String) -> [UInt8] {
        let (labels, limits) = (link.labels, link.limits)
        let values: [String: ExportValue] = [
            "url": .text(url), "alias": .text(link.address.path),
            "domain": .text(link.address.host.isEmpty ? host : link.address.host),
            "type": .integer(link.kind.rawValue), "channel": ExportValue(JSON(labels.channel)),
            "feature": ExportValue(JSON(labels.feature)), "campaign": ExportValue(JSON(labels.campaign)),
            "stage": ExportValue(JSON(labels.stage)), "tags": labels.tags.isEmpty ? .none : .text(text(of: labels.tags)),
            "folder": ExportValue(JSON(link.folder)), "data": link.data.isEmpty ? .none : .json(.object(link.data)),
            "duration": link.duration.map(ExportValue.integer) ?? .none,
            "expires_at": limits.expiresAt.map(ExportValue.time) ?? .none, "expired_url": ExportValue(JSON(limits.expiredURL)),
            "max_clicks": limits.maxClicks.map(ExportValue.integer) ?? .none,
            "archived": link.isArchived ? .text("true") : .none, "id": .text(String(link.id.rawValue)),
            "created_at": .time(link.createdAt), "deleted_at": link.deletedAt.map(ExportValue.time) ?? .none,
        ]
        return line(columns.map { values[$0] ?? .none })
    }

    private static func line(_ cells: [ExportValue]) -> [UInt8] {
        var output: [UInt8] = []
        for (index, cell) in cells.enumerated() {
            output += ExportFormat.csv.lead("", isFirst: index == 0)
            ExportFormat.csv.write(cell, to: &output)
        }
        return output + ExportFormat.csv.end
    }

    /// Tags separated by commas; as a JSON array if one of them could not be read back.
    private static func text(of tags: [String]) -> String {
        let isPlain = tags.allSatisfy { tag in
            !tag.contains(",") && !tag.hasPrefix("[") && tag.first?.isWhitespace == false && tag.last?.isWhitespace == false
        }
        return isPlain ? tags.joined(separator: ", ") : JSON(tags).text
    }

    // MARK: Import

    /// Returns the positions of the columns in a header. Fails with `invalid` for an unknown or repeated column.
    static func positions(in header: [String]) throws(Failure) -> [String: Int] {
        var positions: [String: Int] = [:]
        for (index, name) in header.enumerated() where !ignored.contains(name) {
            guard read.contains(name) else {
                throw Failure.invalid(
                    "\"\(name.prefix(bytes: 64))\" is not a column of links. The first row must have names among "
                        + "\((read + ignored).joined(separator: ", ")).")
            }
            guard positions.updateValue(index, forKey: name) == nil else {
                throw Failure.invalid("The column \(name) is there twice.")
            }
        }
        guard !positions.isEmpty else {
            throw Failure.invalid("The first row must name the columns, among \(read.joined(separator: ", ")).")
        }
        return positions
    }

    /// Returns the link of a row. Fails with `invalid` and the name of the column.
    static func newLink(_ cells: [String], _ positions: [String: Int], _ publicIDs: PublicIDs) throws -> NewLink {
        guard cells.count > positions.values.max() ?? 0 else {
            throw Failure.invalid("The row has \(cells.count) cells, fewer than the first row.")
        }
        var members: JSONObject = [:]
        for name in read {
            guard let text = positions[name].map({ unguarded(cells[$0]) }), !text.isEmpty else { continue }
            switch name {
            case "tags": members[name] = tags(text)
            case "archived": members[name] = Bool(text.lowercased()).map(JSON.bool) ?? .string(text)
            default: members[name] = .string(text)
            }
        }
        let fields = RequestFields(members)
        var link = try CreateLinkRequest(fields, isManaged: true).newLink(publicIDs)
        link.isAuthenticated = true
        link.isArchived = try fields.strictFlag("archived") ?? false
        return link
    }

    private static func tags(_ text: String) -> JSON {
        if text.hasPrefix("["), let value = try? JSON.parse(text, within: .untrusted), value.array != nil { return value }
        return JSON(text.split(separator: ",").map { $0.trimmingPrefix(while: \.isWhitespace).trimmedEnd }.filter { !$0.isEmpty })
    }

    /// Returns a cell without the apostrophe with which the export guards a text that spreadsheets would take for a formula.
    private static func unguarded(_ cell: String) -> String {
        let bytes = cell.utf8.prefix(2)
        guard bytes.first == UInt8(ascii: "'"), let second = bytes.dropFirst().first, "=+-@\t\r".utf8.contains(second) else {
            return cell
        }
        return String(cell.dropFirst())
    }
}

extension Substring {
    fileprivate var trimmedEnd: String {
        var text = self
        while let last = text.last, last.isWhitespace { text.removeLast() }
        return String(text)
    }
}
