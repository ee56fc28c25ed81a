import LindenServices

/// Every table of the schema is in one of these two lists.
extension AuditedTable {
    /// The tables that operators change on purpose.
    package static let all: [AuditedTable] = [
        AuditedTable(
            name: "apps", noun: "app", key: ["id"],
            columns: [
                Column("name"), Column("configuration", .object), Column("test_configuration", .object),
                Column("url_generation", .number), Column("deleted_at", .time),
            ], subject: "id", app: "id", mode: "NULL", deletion: "deleted_at"),
        // The secret's own changes are those of former_secrets.
        AuditedTable(
            name: "app_keys", noun: "key", key: ["branch_key"],
            columns: [Column("branch_key"), Column("replaced_at", .time), Column("ends_at", .time)], subject: "branch_key"),
        AuditedTable(
            name: "former_secrets", noun: "secret", key: ["app_id", "mode", "hash"],
            columns: [Column("replaced_at", .time), Column("ends_at", .time)]),
        AuditedTable(
            name: "access_tokens", noun: "token", key: ["id"],
            columns: [
                Column("name"), Column("role"), Column("expires_at", .time), Column("rotated_at", .time),
                Column("former_ends_at", .time), Column("revoked_at", .time),
            ], subject: "id", mode: "NULL", deletion: "revoked_at"),
        AuditedTable(
            name: "domains", noun: "domain", key: ["host"],
            columns: [Column("host"), Column("root_url"), Column("not_found_url"), Column("expired_url")], subject: "host"),
        AuditedTable(
            name: "associated_apps", noun: "associated_app", key: ["host", "app_id"], columns: [Column("host")], subject: "host",
            mode: "NULL"),
        AuditedTable(
            name: "app_routes", noun: "route", key: ["app_id", "id"],
            columns: [
                Column("syntax"), Column("link_key"), Column("pattern"), Column("target"), Column("is_modal", .flag),
                Column("is_enabled", .flag), Column("defaults", .object),
            ], subject: "id", mode: "NULL"),
        AuditedTable(name: "rates", noun: "rate", key: ["currency", "day"], columns: [], isCounted: true),
        AuditedTable(
            name: "links", noun: "link", key: ["id"],
            columns: [
                Column("host"), Column("path"), Column("type", .number), Column("channel"), Column("feature"), Column("campaign"),
                Column("stage"), Column("tags"), Column("folder"), Column("is_archived", .flag), Column("data", .object),
                Column("duration", .number), Column("expires_at", .time), Column("expired_url"), Column("max_clicks", .number),
                Column("deleted_at", .time),
            ], subject: "id", identity: "identity_id", deletion: "deleted_at"),
        AuditedTable(
            name: "link_templates", noun: "template", key: ["app_id", "mode", "name"],
            columns: [
                Column("channel"), Column("feature"), Column("campaign"), Column("stage"), Column("tags"), Column("data", .object),
            ], subject: "name"),
        AuditedTable(
            name: "reward_rules", noun: "reward_rule", key: ["id"],
            columns: [
                Column("event"), Column("filter", .object), Column("recipient"), Column("first_only", .flag),
                Column("amount", .number), Column("bucket"), Column("cap_per_day", .number), Column("cap_per_user", .number),
                Column("days_valid", .number), Column("paused_at", .time), Column("removed_at", .time),
            ], subject: "id", deletion: "removed_at"),
        AuditedTable(
            name: "held_rewards", noun: "held_reward", key: ["id"],
            columns: [Column("rule_id", .number), Column("identity_id", .number), Column("decided_at", .time)], subject: "id",
            identity: "identity_id", changes: [.changed]),
        // An entry in an account of the app mirrors that of the identity.
        AuditedTable(
            name: "credit_entries", noun: "credit", key: ["transaction_id", "account_id"],
            columns: [
                Column("identity_id", .number, sql: account("identity_id")), Column("bucket", sql: account("bucket")),
                Column("amount", .number), Column("balance_after", .number),
            ], subject: "transaction_id", app: account("app_id"), mode: account("mode"), identity: account("identity_id"),
            isOnlyOfIdentities: true, changes: [.created]),
        AuditedTable(
            name: "subject_requests", noun: "privacy_request", key: ["id"], columns: [Column("handle"), Column("kind")],
            subject: "handle", changes: [.created]),
        // The filters of orders may name a person, and are deleted after a week.
        AuditedTable(
            name: "export_jobs", noun: "export", key: ["id"], columns: [], subject: "handle", changes: [.created]),
        AuditedTable(
            name: "report_jobs", noun: "report", key: ["id"], columns: [], subject: "handle", changes: [.created]),
        // The erasure of an identity by a command: neither its id nor its values are kept.
        AuditedTable(name: "identities", noun: "identity", key: ["id"], columns: [], changes: [.deleted]),
        AuditedTable(
            name: "dashboard_users", noun: "user", key: ["id"],
            columns: [
                Column("name"), Column("role"), Column("password_hash", .hidden), Column("provider_subject", .hidden),
                Column("totp_secret", .hidden), Column("set_up_hash", .hidden), Column("set_up_expires_at", .time),
                Column("disabled_at", .time),
            ], subject: "id", mode: "NULL"),
        AuditedTable(
            name: "shared_questions", noun: "share", key: ["id"],
            columns: [Column("title"), Column("query"), Column("expires_at", .time)], subject: "id"),
        // A replay that is applied, and pruning.
        AuditedTable(
            name: "sessions", noun: "session", key: ["id"], columns: [], changes: [.changed, .deleted], isCounted: true),
        AuditedTable(name: "clicks", noun: "click", key: ["id"], columns: [], changes: [.deleted], isCounted: true),
        AuditedTable(name: "events", noun: "event", key: ["id"], columns: [], changes: [.deleted], isCounted: true),
    ]

    /// The tables that operators do not change, or only along with those above.
    package static let unrecorded: Set<String> = [
        "migrations", "installation", "nodes", "address_keys", "proxy_faults", "strings", "requests", "refused_urls",
        "universal_objects", "text_messages", "pending_clicks", "click_claims", "device_clicks", "devices", "browsers",
        "strong_matches", "device_addresses", "device_shares", "device_profiles", "token_exchanges", "event_transactions",
        "event_problems", "credit_accounts", "credit_transactions", "credit_uniqueness_keys", "expiring_credits",
        "spent_expiring_credits", "reward_counts", "reward_sources", "referrals", "referral_codes", "fraud_signals",
        "held_reward_days", "aggregation_cursors", "uncounted_changes", "link_days", "robot_hours", "object_days", "rollups",
        "rollup_values", "rollup_combinations", "rollup_shares", "rollup_changes", "rollup_devices",
        "dashboard_recovery_codes", "dashboard_sessions",
        "audit_entries",
    ]

    private static func account(_ column: String) -> String {
        "(SELECT a.\(column) FROM credit_accounts a WHERE a.id = credit_entries.account_id)"
    }
}
