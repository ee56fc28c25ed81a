/// A numbered step of the schema, in PostgreSQL's dialect: a file in the folder SQL, which is embedded.
package struct Migration: Sendable {
    package let number: Int
    package let name: String
    package let sql: String
    /// The first version of Linden that has it, such as `0.1.0`. A migration of a later patch version is additive: the earlier patch versions
    /// open the database too, and ignore what it adds.
    package let release: String

    fileprivate init(_ number: Int, _ name: String, _ bytes: [UInt8], since release: String = "0.1.0") {
        self.number = number
        self.name = name
        self.release = release
        sql = String(decoding: bytes, as: UTF8.self)
    }

    /// All migrations, in order. To change the schema after a release, add a file and its line here: a database has the checksums of the
    /// files that made it. In the name of the embedded file, SwiftPM replaces the first digit by an underscore.
    package static let all = [
        Migration(1, "installation", PackageResources._001_installation_sql),
        Migration(2, "apps", PackageResources._002_apps_sql),
        Migration(3, "domains", PackageResources._003_domains_sql),
        Migration(4, "links", PackageResources._004_links_sql),
        Migration(5, "clicks", PackageResources._005_clicks_sql),
        Migration(6, "devices", PackageResources._006_devices_sql),
        Migration(7, "sessions", PackageResources._007_sessions_sql),
        Migration(8, "events", PackageResources._008_events_sql),
        Migration(9, "credits", PackageResources._009_credits_sql),
        Migration(10, "rewards", PackageResources._010_rewards_sql),
        Migration(11, "analytics", PackageResources._011_analytics_sql),
        Migration(12, "exports", PackageResources._012_exports_sql),
        Migration(13, "dashboard", PackageResources._013_dashboard_sql),
        Migration(14, "audit", PackageResources._014_audit_sql),
    ]
}
