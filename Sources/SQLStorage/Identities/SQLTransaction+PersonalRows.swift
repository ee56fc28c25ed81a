import Linden
import LindenKernel
import LindenLedger
import LindenReporting
import LindenServices

extension SQLTransaction {
    package func rows(
        of table: PersonalTable, in scope: Scope, after id: Int64, limit: Int
    ) throws -> (rows: [PersonalRow], last: Int64?) {
        let (columns, source, key) = (table.columns, table.source, table.key)
        let last = try connection.first(
            """
            SELECT \(raw: key) FROM \(raw: source) WHERE \(raw: key) > \(id)
            ORDER BY \(raw: key) LIMIT 1 OFFSET \(limit - 1)
            """
        ) { $0.integer(0) }
        let end = last ?? Int64.max
        let page: SQL
        if table == .referrals {
            page = """
                SELECT \(raw: columns) FROM \(raw: source) WHERE \(raw: key) > \(id) AND \(raw: key) <= \(end)
                ORDER BY \(raw: key)
                """
        } else {
            // The unary plus keeps other indexes out of use, so that the page is a range of the primary key.
            page = """
                SELECT \(raw: columns) FROM \(raw: source) WHERE \(raw: key) > \(id) AND \(raw: key) <= \(end)
                    AND +app_id = \(scope.app) AND +mode = \(scope.mode)
                ORDER BY \(raw: key)
                """
        }
        // One row after another: ten thousand may have gigabytes of queries and bodies.
        var rows: [PersonalRow] = []
        try connection.read(page) { row in
            var person = PersonalRow(id: row.integer(0), scope: row.scope(1))
            person.identity = row.optionalID(3)
            person.otherIdentity = row.optionalID(4)
            person.device = row.optionalID(5)
            person.click = row.optionalID(6)
            person.session = row.optionalID(7)
            person.phone = row.optionalText(8).map(PhoneNumber.init(stored:))
            if table == .clicks { person.setDevices(namedBy: row.optionalText(9)) }
            if table == .events, !row.isNull(9) {
                let body = try row.object(9)
                person.phone = body["phone"]?.scalarText.flatMap { try? PhoneNumber($0) }
                person.page = body["link_click_id"]?.scalarText
            }
            rows.append(person)
            return true
        }
        return (rows, last)
    }

    package func erase(_ table: PersonalTable, _ ids: [Int64]) throws {
        for id in ids {
            switch table {
            case .devices: try eraseDevice(id)
            case .sessions:
                try countBeforeDeletion(of: id)
                try countBeforeDeletion(of: id, in: .sessions)
                try deleteTokenExchange(of: Session.ID(rawValue: id))
                try connection.execute("DELETE FROM sessions WHERE id = \(id)")
            case .events:
                try countBeforeDeletion(of: id, in: .events)
                try eraseEvent(id)
            case .clicks: try eraseClick(id)
            case .links: try connection.execute("UPDATE links SET identity_id = NULL WHERE id = \(id)")
            case .textMessages: try connection.execute("DELETE FROM text_messages WHERE id = \(id)")
            case .referrals: try connection.execute("DELETE FROM referrals WHERE session_id = \(id)")
            case .referralCodes: try connection.execute("DELETE FROM referral_codes WHERE id = \(id)")
            case .heldRewards: try connection.execute("DELETE FROM held_rewards WHERE id = \(id)")
            case .identities, .creditTransactions: break
            }
        }
    }

    package func forgetReferrer(of identity: Identity.ID) throws {
        try connection.execute("UPDATE identities SET referring_identity_id = NULL WHERE id = \(identity)")
    }

    /// Where the counterparty is the referred identity, session, event and address of the reward are that identity's and are erased, too.
    package func forgetParty(of held: HeldReward.ID) throws {
        try connection.execute(
            """
            UPDATE held_rewards SET session_id = CASE WHEN referree_id IS NULL THEN session_id END,
                event_id = CASE WHEN referree_id IS NULL THEN event_id END,
                metadata = CASE WHEN referree_id IS NULL THEN metadata END,
                address = CASE WHEN referree_id IS NULL THEN address END,
                network = CASE WHEN referree_id IS NULL THEN network END, referrer_id = NULL, referree_id = NULL
            WHERE id = \(held)
            """)
    }

    package func erase(_ identity: Identity.ID, clearingAtMost limit: Int) throws -> Bool {
        let cleared = try connection.changedRows(
            by: """
                UPDATE sessions SET referring_identity_id = NULL
                WHERE id IN (SELECT id FROM sessions WHERE referring_identity_id = \(identity) LIMIT \(limit))
                """)
        guard cleared < limit, try eraseAuditDetails(of: identity) else { return false }
        try connection.execute("DELETE FROM identities WHERE id = \(identity)")
        return true
    }

    /// Deletes a device and the matches stored for its next session under its hardware and advertising ids.
    private func eraseDevice(_ id: Int64) throws {
        guard let device = try device(Device.ID(rawValue: id)) else { return }
        let (scope, reported) = (device.scope, device.description)
        let keys = [reported.hardwareID, reported.advertisingID, reported.advertisingID?.lowercased()].compactMap { $0 }
        for key in Set(keys.map(BytewiseText.init)) {
            for table: StaticString in ["device_clicks", "strong_matches"] {
                try connection.execute(
                    """
                    DELETE FROM \(raw: table) WHERE app_id = \(scope.app) AND mode = \(scope.mode) AND device_key = \(key.text)
                    """)
            }
        }
        try connection.execute("DELETE FROM fraud_signals WHERE device_id = \(id)")
        try connection.execute("DELETE FROM devices WHERE id = \(id)")
    }

    /// Erases a click's personal data. The log keeps its time, link and kind of device; the address becomes `erased`.
    private func eraseClick(_ id: Int64) throws {
        try recordErasure(ofClick: id)
        try deletePending(Click.ID(rawValue: id))
        try connection.execute(
            """
            UPDATE clicks SET address = 'erased', os_version = NULL, model_id = NULL, browser_version = NULL, user_agent_id = NULL,
                referrer_id = NULL, link_labels = NULL, query = NULL, browser_id = NULL, via_click = NULL, site = NULL, language = NULL,
                match_seconds = NULL, appended_hash = NULL, link_windows = NULL
            WHERE id = \(id)
            """)
    }
}

extension PersonalTable {
    fileprivate var source: StaticString {
        switch self {
        case .devices: "devices"
        case .sessions: "sessions"
        case .events: "events"
        case .clicks: "clicks"
        case .links: "links"
        case .textMessages: "text_messages"
        case .identities: "identities"
        case .referrals: "referrals"
        case .referralCodes: "referral_codes"
        case .heldRewards: "held_rewards"
        case .creditTransactions: "credit_transactions"
        }
    }

    fileprivate var key: StaticString { self == .referrals ? "session_id" : "id" }

    /// The columns of a ``PersonalRow``.
    fileprivate var columns: StaticString {
        switch self {
        case .devices: "id, app_id, mode, identity_id, NULL, id, NULL, NULL, NULL, NULL"
        case .sessions: "id, app_id, mode, identity_id, referring_identity_id, device_id, click_id, id, NULL, NULL"
        case .events:
            """
            id, app_id, mode, identity_id, NULL, device_id, NULL, session_id, NULL, CASE WHEN endpoint = 'c' THEN body END
            """
        case .clicks:
            """
            id, app_id, mode, NULL, NULL, browser_id, via_click, NULL, NULL, \
            CASE WHEN LOWER(query) LIKE '%idfa%' OR LOWER(query) LIKE '%aaid%' THEN query END
            """
        case .links, .referralCodes: "id, app_id, mode, identity_id, NULL, NULL, NULL, NULL, NULL, NULL"
        case .textMessages: "id, app_id, mode, NULL, NULL, NULL, NULL, NULL, phone, NULL"
        case .identities: "id, app_id, mode, id, referring_identity_id, NULL, NULL, NULL, NULL, NULL"
        // A referral has no scope columns: its session has the scope, and identity ids are unique across scopes.
        case .referrals: "session_id, 0, 0, identity_id, referring_identity_id, NULL, NULL, session_id, NULL, NULL"
        case .heldRewards:
            "id, app_id, mode, identity_id, COALESCE(referrer_id, referree_id), NULL, NULL, session_id, NULL, NULL"
        case .creditTransactions: "id, app_id, mode, referrer_id, referree_id, NULL, NULL, session_id, NULL, NULL"
        }
    }
}
