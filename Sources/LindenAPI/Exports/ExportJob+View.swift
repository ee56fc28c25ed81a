import Linden
import LindenKernel
import LindenReporting

extension ExportJob {
    /// An ordered export.
    ///
    /// - `handle`: the order's id, as in `/v2/logs/<handle>`.
    /// - `topic`, `format`: the topic, and `csv` or `ndjson`.
    /// - `from`, `to`: the time range in ISO 8601, UTC; the end is not included.
    /// - `status`: `running`, `complete` or `failed`.
    /// - `rows`: the number of rows so far.
    /// - `message`: why it failed; null for others.
    /// - `ordered_at`: a time in ISO 8601, UTC.
    /// - `url`: the address of the file, which is valid as long as the order is kept; null unless it is complete.
    package func view(url: String?) -> JSONObject {
        let wanted = request.object ?? [:]
        func time(_ name: String) -> JSON { JSON(wanted[name]?.int64.map { Timestamp(milliseconds: $0).iso8601 }) }
        return [
            "handle": .string(handle), "topic": wanted["topic"] ?? .null, "format": wanted["format"] ?? .null,
            "from": time("from"), "to": time("to"), "status": .string("\(state)"), "rows": .integer(rows),
            "message": JSON(failure), "ordered_at": .string(id.time.iso8601), "url": JSON(url),
        ]
    }
}
