import Foundation
import LindenKernel
import LindenServices
import Yams

/// Validation of the keys in a settings file. The configuration reader only looks up the keys it knows, so it would silently ignore a
/// misspelled one.
enum SettingsFile {
    private static let values = Set(RateLimits.keys).union([
        "http.host", "http.port", "http.base_url", "http.max_body_bytes", "http.max_connections",
        "http.max_connections_per_address",
        "http.header_timeout", "http.hsts", "http.admin_address", "links.max_bulk_bytes", "links.max_data_bytes",
        "links.association",
        "clicks.on_failure", "sms.gateway_url", "sms.gateway_token", "geo.country_file", "attribution.shared_ranges",
        "attribution.owner_file", "attribution.rules", "search_ads.exchange_tokens", "privacy.addresses", "privacy.key_days",
        "retention.clicks_days", "retention.sessions_days", "retention.events_days",
        "storage.database",
        "storage.durability", "storage.prepared",
        "limits.enabled", "limits.min_free_disk", "limits.queued_exports", "limits.exports_per_day",
        "limits.downloads",
        "limits.queued_erasures", "limits.subject_requests_per_day", "dashboard.enabled",
        "dashboard.host", "dashboard.openid.issuer", "dashboard.openid.client_id", "dashboard.openid.client_secret",
        "dashboard.openid.client_secret_file", "dashboard.openid.name", "dashboard.openid.user_claim",
        "dashboard.openid.new_user_role", "backup.folder", "backup.every", "backup.keep", "backup.s3.bucket", "backup.s3.endpoint",
        "backup.s3.region", "backup.s3.prefix", "backup.s3.access_key", "backup.s3.secret_key", "backup.s3.secret_key_file",
        "log.level",
        "log.requests", "tls.certificate", "tls.private_key", "traces.endpoint", "traces.percent",
        "traces.headers", "traces.headers_file",
    ])
    /// The keys whose value is a list, or one text with commas.
    private static let lists: Set<String> = [
        "http.trusted_proxies", "attribution.shared_owners", "limits.exempt_networks", "dashboard.openid.allowed_domains",
        "dashboard.openid.allowed_users",
    ]
    /// All prefixes of keys, such as `limits` and `limits.visit` for `limits.visit.address`.
    private static let sections = Set(
        values.union(lists).flatMap { key in key.indices.filter { key[$0] == "." }.map { String(key[..<$0]) } })

    /// Checks all keys of a file. Returns false for a file without any setting; fails with one line that names the key.
    static func check(_ path: String) throws -> Bool {
        guard let data = FileManager.default.contents(atPath: path) else {
            throw Failure.unusable("The settings file \(path) cannot be read.")
        }
        do {
            guard let root = try compose(yaml: String(decoding: data, as: UTF8.self)) else { return false }
            try check(root, key: "", in: path)
            return true
        } catch let error as YamlError {
            let reason = "\(error)".split(whereSeparator: \.isNewline).joined(separator: " ")
            throw Failure.unusable("The settings file \(path) is not YAML: \(reason)")
        }
    }

    private static func check(_ node: Node, key: String, in path: String) throws {
        if let mapping = node.mapping {
            guard key.isEmpty || sections.contains(key) else { throw problem(key, path) }
            for (name, value) in mapping {
                try check(value, key: (key.isEmpty ? "" : key + ".") + (name.string ?? ""), in: path)
            }
        } else if let sequence = node.sequence {
            guard lists.contains(key), sequence.allSatisfy({ $0.scalar != nil }) else { throw problem(key, path) }
        } else {
            // A section is null if all its settings are commented out.
            let isEmptySection = sections.contains(key) && node.null != nil
            guard isEmptySection || values.contains(key) || lists.contains(key) else { throw problem(key, path) }
        }
    }

    private static func problem(_ key: String, _ path: String) -> Failure {
        if key.isEmpty { return .unusable("The settings file \(path) must hold settings.") }
        if values.contains(key) { return .unusable("The setting \(key) in \(path) must be one value.") }
        if lists.contains(key) { return .unusable("The setting \(key) in \(path) must be a list of values.") }
        if sections.contains(key) { return .unusable("The section \(key) in \(path) must hold settings.") }
        let known = values.union(lists).sorted()
        let near = Spelling.nearest(to: key, in: known).map { " Did you mean \($0)?" } ?? ""
        return .unusable("\"\(key)\" in \(path) is not a setting.\(near) The settings are: \(known.joined(separator: ", ")).")
    }
}
