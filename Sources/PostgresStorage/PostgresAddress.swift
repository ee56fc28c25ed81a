import CPostgres
import LindenKernel

/// The address of a database on PostgreSQL: a connection URI as libpq reads it, with its parameters.
package struct PostgresAddress: Sendable, Equatable {
    package static let schemes = ["postgres://", "postgresql://"]

    /// The URI with the password that it may contain. Must not be shown.
    let uri: String
    /// The address without its password and parameters, for messages.
    package let shown: String
    /// Whether it has the parameter `options`: settings of the session.
    let hasOptions: Bool
    /// Whether it names several hosts, of which libpq tries one after the other.
    let hasSeveralHosts: Bool

    /// Fails with `unusable` if libpq cannot read the URI.
    package init(_ uri: String) throws {
        var message: UnsafeMutablePointer<CChar>?
        guard let options = PQconninfoParse(uri, &message) else {
            defer { PQfreemem(message) }
            // The message may quote the URI, so only its beginning is shown.
            let reason = message.map { String(cString: $0) } ?? ""
            throw Failure.unusable(
                reason.contains("query parameter") || reason.contains("URI") && !uri.contains("@")
                    ? "must be a URL of PostgreSQL: \(reason.split(separator: "\n").joined(separator: " "))"
                    : "must be a URL of PostgreSQL such as postgres://user:password@host:5432/database")
        }
        defer { PQconninfoFree(options) }
        var values: [String: String] = [:]
        var option = options
        while let keyword = option.pointee.keyword {
            if let value = option.pointee.val { values[String(cString: keyword)] = String(cString: value) }
            option += 1
        }
        self.uri = uri
        hasOptions = values["options"] != nil
        hasSeveralHosts = values["host"]?.contains(",") == true
        // Of several hosts without ports, the ports are commas.
        let port = values["port"].flatMap { $0.contains { $0 != "," } ? ":\($0)" : nil } ?? ""
        shown =
            "postgres://" + (values["user"].map { "\($0)@" } ?? "") + (values["host"] ?? "") + port + "/" + (values["dbname"] ?? "")
    }
}
