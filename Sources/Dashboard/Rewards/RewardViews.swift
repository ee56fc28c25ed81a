import Linden
import LindenAPI
import LindenKernel
import LindenLedger

extension RewardRule.Recipient {
    var meaning: String {
        switch self {
        case .actor: "the user who acts"
        case .referrer: "the user whose link led to the session"
        case .actorIfReferred: "the user who acts, if referred by another"
        case .both: "both, if the user was referred"
        }
    }
}

extension RewardRule {
    /// The conditions and limits of the rule, in a few words.
    var conditions: String {
        var texts = filter.map { key, value in "\(key) = \(value.scalarText ?? value.text)" }
        if isFirstOnly { texts.append("the first time only") }
        if let most = caps.perDay { texts.append("at most \(most.grouped) per user and day") }
        if let most = caps.perUser { texts.append("at most \(most.grouped) per user") }
        if let days = daysValid { texts.append("credits expire after \(days.grouped) days") }
        return texts.joined(separator: "; ")
    }
}

extension Table {
    static func rules(_ rules: [RewardRule], in path: String, mayChange: Bool) -> Table {
        var columns = [
            Column(columnLabel: "Event"), Column(columnLabel: "Rewarded"), Column(columnLabel: "Credits", isNumber: true),
            Column(columnLabel: "Bucket"), Column(columnLabel: "Conditions"), Column(columnLabel: "State"),
            Column(columnLabel: "Id"),
        ]
        if mayChange { columns += [Column(columnLabel: "Change"), Column(columnLabel: "Remove")] }
        return Table(
            "Reward rules", columns,
            rules.map { rule in
                var cells = [
                    Cell(rule.event), Cell(rule.recipient.rawValue, note: rule.recipient.meaning), Cell.number(rule.amount.value),
                    Cell(rule.bucket.name), Cell(rule.conditions.shortened), Cell(rule.isPaused ? "paused" : "active"),
                    .code("\(rule.id)"),
                ]
                if mayChange {
                    let act = rule.isPaused ? "resume" : "pause"
                    cells += [
                        .actions([
                            CellAction(
                                actionPath: "\(path)/\(rule.id)/\(act)", actionLabel: act,
                                actionDescription: "\(act) the rule of \(rule.event)")
                        ]), Cell("remove", href: "\(path)/\(rule.id)/remove"),
                    ]
                }
                return cells
            })
    }
}

extension Facts {
    static func rule(_ rule: RewardRule) -> Facts {
        Facts([
            ("Event", Cell(rule.event)), ("Rewarded", Cell(rule.recipient.meaning)),
            ("Credits", Cell(rule.amount.value.grouped, note: rule.bucket.name)), ("Conditions", Cell(rule.conditions)),
            ("Id", .code("\(rule.id)")),
        ])
    }
}

extension Confirmation {
    static func removal(of rule: RewardRule) -> Confirmation {
        let path = PagePath.rewards(rule.scope)
        return Confirmation(
            action: "\(path)/\(rule.id)/remove", submit: "Remove the rule", cancel: path, name: rule.event,
            label: "the rule's event",
            consequence:
                "Users keep the credits that they have earned. If the same rule is added again, its first times and caps start "
                + "from zero; to stop it for a time, pause it.")
    }
}

extension Form {
    static func rewardRule(_ path: String, _ typed: FormFields) -> Form {
        Form(
            path, submit: "Create the rule", cancel: path,
            [
                .retryKey(typed["retry_key"]),
                .text(
                    "event", "Event", typed["event"], hint: "install, open, or the name of an event such as PURCHASE.",
                    isRequired: true
                ),
                .text(
                    "filter", "Only with these values", typed["filter"], hint: "Of the event's metadata, such as plan=gold, size=2."
                ),
                .choice(
                    "reward", "Rewarded", typed["reward"],
                    RewardRule.Recipient.allCases.map { (value: $0.rawValue, label: $0.meaning) }),
                .text("amount", "Credits", typed["amount"], type: "number", isRequired: true),
                .text("bucket", "Bucket", typed["bucket"], hint: "Empty: \(Bucket.standard.name)."),
                .choice(
                    "first_only", "How often", typed["first_only"],
                    [("", "each time"), ("true", "the first time per user and device")]),
                .text(
                    "cap_per_day", "At most per user and day", typed["cap_per_day"], type: "number", hint: "Empty: no limit."),
                .text("cap_per_user", "At most per user", typed["cap_per_user"], type: "number", hint: "Empty: no limit."),
                .text(
                    "days_valid", "Days until the credits expire", typed["days_valid"], type: "number",
                    hint: "Empty: they do not expire."),
            ])
    }
}
