import Configuration
import Connections
import Linden
import LindenKernel
import LindenReporting
import LindenServices
import LinkRouting
import Logging
import OpenID
import SQLiteStorage
import Server

extension Settings {
    /// Reads and validates all settings. Fails with one line that names the key, the value and the allowed values.
    ///
    /// - `http.host` (string, default 127.0.0.1), `http.port` (0–65535, default 8080), `http.base_url` (URL), `http.trusted_proxies`
    ///   (networks, comma-separated or a list), `http.max_body_bytes` (1 KiB–16 MiB, default 512 KiB), `http.max_connections` (default
    ///   11000, with TLS 2000), `http.max_connections_per_address` (default 512), `http.header_timeout` (seconds, default 10), `http.hsts`
    ///   (seconds up to two years, or off, default off), `http.admin_address` (an address and a port, default none)
    /// - `tls.certificate`, `tls.private_key` (paths, default none), see ``TLSSettings``
    /// - `links.max_bulk_bytes` (default 100 KiB), `links.max_data_bytes` (1 KiB–1 MiB, default 64 KiB), `links.association` (modern or
    ///   legacy, default modern)
    /// - `storage.database` (`sqlite:PATH`, default sqlite:linden.db), `storage.durability` (full or normal, default full),
    ///   `storage.prepared` (auto or off, default auto)
    /// - `clicks.on_failure` (refuse or redirect, default refuse)
    /// - `sms.gateway_url` (URL), `sms.gateway_token` (text)
    /// - `geo.country_file` (path, default none)
    /// - `attribution.shared_ranges` (path, default none), `attribution.owner_file` (path, default none), `attribution.shared_owners` (AS
    ///   numbers, comma-separated or a list, default none)
    /// - `attribution.rules` (path, default none)
    /// - `privacy.addresses` (raw, keyed or none, default keyed), `privacy.key_days` (1–90, default 7)
    /// - `retention.clicks_days` (91–36500), `retention.sessions_days`, `retention.events_days` (7–36500; default: unlimited)
    /// - `search_ads.exchange_tokens` (true or false, default false)
    /// - `limits.enabled` (true or false, default true), `limits.exempt_networks` (networks, comma-separated or a list, or none; default
    ///   loopback), `limits.<call>.address`, `.key` and `.secret` (a rate, see ``LimitedCall`` and ``RateLimits``), `limits.min_free_disk`
    ///   (bytes, default 256 MiB), `limits.queued_exports` (default 50), `limits.exports_per_day` (default 1000), `limits.downloads` (default 4),
    ///   `limits.queued_erasures` (default 1000), `limits.subject_requests_per_day` (default 10000)
    /// - `dashboard.enabled` (true or false, default true), `dashboard.host` (a host name, default that of the base URL),
    ///   `dashboard.openid.…` (see ``OpenIDSettings/init(reader:)``)
    /// - `backup.…`, see ``BackupSettings/init(reader:)``
    /// - `traces.…`, see ``TraceSettings/init(reader:)``
    /// - `log.level` (trace … critical, default info), `log.requests` (off, text or json, default off)
    init(reader: ConfigReader) throws {
        host = reader.text("http.host") ?? "127.0.0.1"
        port = try reader.integer("http.port", in: 0...65535) ?? 8080
        baseURL = try reader.value("http.base_url") { try BaseURL($0) }
        trustedProxies = try reader.networks("http.trusted_proxies")
        strictTransportSeconds = try reader.value("http.hsts", Settings.strictTransportSeconds) ?? nil
        tls = try TLSSettings(reader: reader)
        if tls != nil, let baseURL, !baseURL.text.hasPrefix("https:") {
            throw Failure.setting("http.base_url", baseURL.text, "must begin with https:// where tls.certificate is set")
        }
        adminAddress = try reader.value("http.admin_address") { try AdminAddress($0) }
        maximumBodyBytes = try reader.integer("http.max_body_bytes", in: 1024...(16 << 20)) ?? ServerOptions.standardBodyBytes
        connections.connections =
            try reader.integer("http.max_connections", in: 16...1_000_000)
            ?? (tls == nil ? connections.connections : ConnectionLimits.connectionsWithTLS)
        connections.connectionsPerAddress =
            try reader.integer("http.max_connections_per_address", in: 1...1_000_000) ?? connections.connectionsPerAddress
        connections.headerTimeout = try reader.integer("http.header_timeout", in: 1...600) ?? connections.headerTimeout
        maximumBulkBytes = try reader.integer("links.max_bulk_bytes", in: 1024...(16 << 20)) ?? ServerOptions.standardBulkBytes
        linkSizes = LinkSizeLimits(
            dataBytes: try reader.integer("links.max_data_bytes", in: 1024...(1 << 20)) ?? LinkSizeLimits.standardDataBytes)
        associationShape = try reader.choice("links.association") ?? .modern
        database = try reader.text("storage.database").map { try DatabaseLocation(setting: $0) } ?? .sqlite(path: "linden.db")
        durability = try reader.choice("storage.durability") ?? .full
        prepared = try reader.choice("storage.prepared") ?? .auto
        if prepared == .off, durability == .normal, database.path == nil {
            throw Failure.setting(
                "storage.durability", "normal",
                "must be full where storage.prepared is off, because a crash of PostgreSQL may go unnoticed")
        }
        onClickFailure = try reader.choice("clicks.on_failure") ?? .refuse
        let token = reader.text("sms.gateway_token")
        textMessageGateway = try reader.value("sms.gateway_url", Settings.webURL).map { (url: $0, token: token) }
        countryFile = reader.text("geo.country_file")
        sharedRangesFile = reader.text("attribution.shared_ranges")
        ownerFile = reader.text("attribution.owner_file")
        sharedOwners = Set(try reader.list("attribution.shared_owners").map(Settings.systemNumber))
        if ownerFile == nil, let owner = sharedOwners.first {
            throw Failure.setting("attribution.shared_owners", "AS\(owner)", "needs attribution.owner_file, which names the owners")
        }
        rules = try reader.text("attribution.rules").map(RulesFile.rules) ?? .standard
        privacy = AddressPrivacy(
            try reader.choice("privacy.addresses") ?? .keyed,
            keyDays: try reader.integer("privacy.key_days", in: AddressPrivacy.allowedKeyDays) ?? AddressPrivacy.standardKeyDays)
        var days: [Retention.Log: Int] = [:]
        for log in Retention.Log.allCases {
            days[log] = try reader.integer("retention.\(log.rawValue)_days", in: log.fewestDays...Retention.Log.mostDays)
        }
        retention = try Retention(days: days)
        exchangesAdTokens = try reader.bool("search_ads.exchange_tokens") ?? false
        limits = try RateLimits(reader: reader)
        orders.queuedExports = try reader.integer("limits.queued_exports", in: 1...1_000_000) ?? orders.queuedExports
        orders.exportsPerDay = try reader.integer("limits.exports_per_day", in: 1...1_000_000) ?? orders.exportsPerDay
        orders.downloads = try reader.integer("limits.downloads", in: 1...1_000_000) ?? orders.downloads
        orders.queuedErasures = try reader.integer("limits.queued_erasures", in: 1...1_000_000) ?? orders.queuedErasures
        orders.subjectRequestsPerDay =
            try reader.integer("limits.subject_requests_per_day", in: 1...1_000_000) ?? orders.subjectRequestsPerDay
        minimumFreeDisk = try reader.integer("limits.min_free_disk", in: 0...(1 << 50)) ?? DiskMonitor.standardMinimum
        dashboard = DashboardSettings(
            isEnabled: try reader.bool("dashboard.enabled") ?? true,
            host: try reader.value("dashboard.host", Settings.dashboardHost))
        backup = try BackupSettings(reader: reader)
        for key in ["backup.folder", "backup.s3.bucket"] where database.path == nil {
            guard let value = reader.text(key) else { continue }
            throw Failure.setting(key, value, "is for databases of SQLite; use PostgreSQL's own tools, such as pg_basebackup")
        }
        openID = try OpenIDSettings(reader: reader)
        logLevel = try reader.choice("log.level") ?? .info
        traces = try TraceSettings(reader: reader)
        requestLog = try reader.value("log.requests", Settings.requestLog) ?? nil
    }

    private static func strictTransportSeconds(_ text: String) throws -> Int? {
        if text == "off" { return nil }
        guard let seconds = Int(text), (0...63_072_000).contains(seconds) else {
            throw Failure.unusable("must be a number of seconds from 0 to 63072000 (two years), or off")
        }
        return seconds
    }

    /// YAML reads `off` as false.
    private static func requestLog(_ text: String) throws -> RequestLog.Format? {
        if text == "off" || text == "false" { return nil }
        guard let format = RequestLog.Format(rawValue: text) else { throw Failure.unusable("must be off, text or json") }
        return format
    }

    private static func dashboardHost(_ text: String) throws -> String {
        do {
            return DashboardSettings.isLoopback(text.lowercased()) ? text.lowercased() : try Domain.normalizedHost(text)
        } catch {
            throw Failure.unusable("must be a host name such as linden.example.com, without scheme and port")
        }
    }

    static func webURL(_ text: String) throws -> String {
        let parts = URLParts(text)
        guard ["http", "https"].contains(parts.scheme), !parts.host.isEmpty else {
            throw Failure.unusable("must be a URL that begins with https:// or http://")
        }
        return text
    }

    /// Parses the number of an autonomous system, with or without the prefix AS.
    private static func systemNumber(_ text: String) throws -> UInt32 {
        let digits = text.uppercased().hasPrefix("AS") ? text.dropFirst(2) : text[...]
        guard let number = UInt32(digits), number > 0 else {
            throw Failure.setting("attribution.shared_owners", text, "must be AS numbers such as AS64500, separated by commas")
        }
        return number
    }
}

extension RateLimits {
    /// Reads the settings of `limits`, see ``Settings/init(reader:)``.
    fileprivate init(reader: ConfigReader) throws {
        self.init(isOn: try reader.bool("limits.enabled") ?? true)
        if reader.text(Self.exemptKey) == "none" {
            exempt = []
        } else if !reader.list(Self.exemptKey).isEmpty {
            exempt = try reader.networks(Self.exemptKey)
        }
        for call in LimitedCall.allCases {
            for owner in call.owners {
                if let rate = try reader.value(Self.key(call, owner), { try Rate($0) }) { self[call][owner] = rate }
            }
        }
    }

    private static let exemptKey = "limits.exempt_networks"

    private static func key(_ call: LimitedCall, _ owner: Owner) -> String { "limits.\(call.name).\(owner.rawValue)" }

    /// The keys of all rate settings.
    static let keys = LimitedCall.allCases.flatMap { call in call.owners.map { key(call, $0) } }
}

extension Failure {
    static func setting(_ key: String, _ value: String, _ allowed: String) -> Failure {
        .unusable("The setting \(key) is \"\(value)\" but \(allowed).")
    }
}
