import Linden
import LindenKernel

/// The clicks that sessions were compared with.
extension SQLTransaction {
    package func sessions(
        naming isSought: (Click.ID) -> Bool, in scope: Scope, after id: Int64, limit: Int
    ) throws -> (sessions: [Session.ID], last: Int64?) {
        let last = try connection.first("SELECT id FROM sessions WHERE id > \(id) ORDER BY id LIMIT 1 OFFSET \(limit - 1)") {
            $0.integer(0)
        }
        let end = last ?? Int64.max
        var sessions: [Session.ID] = []
        try connection.read(
            """
            SELECT id, explanation, COALESCE(evidence, '') FROM sessions
            WHERE id > \(id) AND id <= \(end) AND +app_id = \(scope.app) AND +mode = \(scope.mode)
                AND (explanation LIKE '%"click":%' OR evidence LIKE '%"click":%')
            ORDER BY id
            """
        ) { row in
            if row.text(1).namesClick(isSought) || row.text(2).namesClick(isSought) { sessions.append(row.id(0)) }
            return true
        }
        return (sessions, last)
    }

    package func replaceExplanation(of session: Session.ID, by explanation: StoredDecision, _ evidence: Evidence?) throws {
        try connection.execute(
            "UPDATE sessions SET explanation = \(explanation.json), evidence = \(evidence?.json) WHERE id = \(session)")
    }
}

extension String {
    /// Whether this JSON has a sought click as a member `click`. Compares bytes: thousands of texts are searched.
    fileprivate func namesClick(_ isSought: (Click.ID) -> Bool) -> Bool {
        let (name, zero) = (Array(#""click":"#.utf8), UInt8(ascii: "0"))
        var text = self
        return text.withUTF8 { bytes in
            var place = 0
            while place + name.count < bytes.count {
                guard bytes[place] == name[0], bytes[place...].starts(with: name) else {
                    place += 1
                    continue
                }
                place += name.count
                var id: Int64 = 0
                while place < bytes.count, bytes[place] >= zero, bytes[place] <= zero + 9 {
                    id = id &* 10 &+ Int64(bytes[place] - zero)
                    place += 1
                }
                if isSought(Click.ID(rawValue: id)) { return true }
            }
            return false
        }
    }
}
