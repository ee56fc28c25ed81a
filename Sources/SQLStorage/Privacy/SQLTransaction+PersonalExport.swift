import LindenKernel
import LindenReporting

extension SQLTransaction {
    package func personalRow(of table: PersonalTable, _ id: Int64) throws -> JSONObject? {
        let kept = table.kept
        let columns = kept.columns.map(\.value).joined(separator: ", ")
        let sql = SQL(text: "SELECT \(columns) FROM \(kept.table) WHERE \(kept.key) = $1", values: [.integer(id)])
        return try connection.first(sql) { row in
            JSONObject(kept.columns.enumerated().map { (key: $1.name, value: row.optionalText($0).map(JSON.string) ?? .null) })
        }
    }
}

/// The columns of a table that an export to a data subject contains.
private struct KeptColumns {
    let table: String
    var key = "id"
    /// Each column's name in the export and its SQL expression.
    let columns: [(name: String, value: String)]

    init(_ table: String, key: String = "id", _ names: String, _ others: [(name: String, value: String)] = []) {
        self.table = table
        self.key = key
        columns = names.split(separator: " ").map { (String($0), String($0)) } + others
    }
}

/// The entries of a transaction on users' accounts.
private let userEntries = """
    FROM credit_entries JOIN credit_accounts ON credit_accounts.id = account_id \
    WHERE transaction_id = credit_transactions.id AND identity_id IS NOT NULL
    """

extension PersonalTable {
    fileprivate var kept: KeptColumns {
        switch self {
        case .identities: KeptColumns("identities", "developer_identity created_at first_session_data")
        case .devices:
            KeptColumns(
                "devices",
                """
                identity_id hardware_id advertising_id os os_version brand model screen app_version sdk country language environment \
                is_browser browser installed_at first_seen_at last_seen_at
                """, [("user_agent", "(SELECT value FROM strings WHERE id = user_agent_id)")])
        case .sessions: KeptColumns("sessions", "device_id identity_id kind link_id click_id data closed_at")
        case .events: KeptColumns("events", "endpoint name device_id identity_id session_id body")
        case .clicks:
            KeptColumns(
                "clicks",
                "link_id platform os os_version maker browser browser_version in_app_browser country query action reason address language",
                [
                    ("model", "(SELECT value FROM strings WHERE id = model_id)"),
                    ("user_agent", "(SELECT value FROM strings WHERE id = user_agent_id)"),
                    ("referrer", "(SELECT value FROM strings WHERE id = referrer_id)"),
                ])
        case .links: KeptColumns("links", "host path channel feature campaign stage tags data created_at deleted_at")
        case .textMessages: KeptColumns("text_messages", "link_id phone")
        case .referrals: KeptColumns("referrals", key: "session_id", "identity_id referring_identity_id device_id held_reasons")
        case .referralCodes: KeptColumns("referral_codes", "code amount bucket expires_at")
        case .heldRewards: KeptColumns("held_rewards", "rule_id session_id event_name reasons decided_at is_granted")
        case .creditTransactions:
            // A rule's transaction has the metadata of its event, which may be another identity's. A merge moves credits between identities
            // of the data subject; all others have one user's account.
            KeptColumns(
                "credit_transactions", "kind source event_name session_id event_id",
                [
                    ("metadata", "CASE WHEN source <> 'rule' THEN metadata END"),
                    ("amount", "CASE WHEN source <> 'merge' THEN (SELECT CAST(SUM(amount) AS BIGINT) \(userEntries)) END"),
                    ("bucket", "CASE WHEN source <> 'merge' THEN (SELECT MIN(bucket) \(userEntries)) END"),
                ])
        }
    }
}
