import Configuration
import Foundation
import LindenKernel

/// Where traces are sent.
struct TraceSettings: Sendable {
    let endpoint: String
    /// The share of requests that are traced.
    let percent: Int
    /// Headers that the collector asks for, such as `Authorization`.
    let headers: [(name: String, value: String)]

    /// Reads the settings of `traces`; nil if nothing is traced.
    ///
    /// - `traces.endpoint` (URL, default none), `traces.percent` (0–100, default 1)
    /// - `traces.headers` (pairs such as `authorization=Bearer%20abc`, comma-separated) or `traces.headers_file` (path), default none
    init?(reader: ConfigReader) throws {
        percent = try reader.integer("traces.percent", in: 0...100) ?? 1
        headers = try reader.secret("traces.headers").map(Self.headers) ?? []
        guard let endpoint = try reader.value("traces.endpoint", Settings.webURL) else { return nil }
        self.endpoint = endpoint
    }

    /// Parses the value of OpenTelemetry's `OTEL_EXPORTER_OTLP_HEADERS`. The error does not have it, because it is a secret.
    private static func headers(_ text: String) throws -> [(name: String, value: String)] {
        try text.split(separator: ",").map { pair in
            let parts = pair.split(separator: "=", maxSplits: 1).map { $0.trimmingCharacters(in: .whitespaces) }
            guard parts.count == 2, parts[0].wholeMatch(of: /[A-Za-z0-9_.\-]+/) != nil,
                let value = parts[1].removingPercentEncoding,
                value.utf8.allSatisfy({ (0x20...0x7E).contains($0) })
            else {
                throw Failure.unusable(
                    "The setting traces.headers must be headers such as authorization=Bearer%20abc, separated by commas.")
            }
            return (parts[0], value)
        }
    }
}
