import Linden
import LindenAPI
import LindenKernel
import LindenLedger

extension Form {
    static func heldFilter(_ path: String, _ query: FormFields) -> Form {
        Form(
            path, method: "get", submit: "Filter",
            [
                .text("rule", "Rule", query["rule"]), .text("address", "Address", query["address"]),
                .text("network", "Network", query["network"]), .text("since", "Since", query["since"]),
            ])
    }
}

extension Table {
    static func held(
        _ held: [(held: HeldReward, user: Identity?, rule: RewardRule?)], in path: String, _ publicIDs: PublicIDs, mayChange: Bool
    ) -> Table {
        var columns = [
            Column(columnLabel: "Time"), Column(columnLabel: "User"), Column(columnLabel: "Event"),
            Column(columnLabel: "Credits", isNumber: true), Column(columnLabel: "Reasons"), Column(columnLabel: "From"),
        ]
        if mayChange { columns += [Column(columnLabel: "Grant"), Column(columnLabel: "Refuse")] }
        return Table(
            "Held rewards", columns,
            held.map { reward, user, rule in
                let view = reward.view(recipient: user, rule: rule, publicIDs)
                let (identity, id) = (view["identity"]?.string?.withVisibleSpace ?? "", view["id"]?.string ?? "")
                var cells = [
                    Cell.time(view["date"]?.string ?? ""),
                    Cell(identity, href: user.map { PagePath.identity(publicIDs.reference(to: $0.id), reward.scope) }),
                    Cell(view["event"]?.string ?? "", note: "rule \(view["rule"]?.string ?? "")"),
                    .figure(view["amount"]?.int64?.grouped ?? "rule removed"), Cell(reward.reasons.joined(separator: " ")),
                    Cell(view["address"]?.string ?? "unknown", note: view["network"]?.string),
                ]
                if mayChange {
                    cells += [
                        .actions([
                            CellAction(
                                actionPath: "\(path)/\(id)/release", actionLabel: "release",
                                actionDescription: "release the reward of \(identity)")
                        ]), Cell("refuse", href: "\(path)/\(id)/refuse"),
                    ]
                }
                return cells
            })
    }
}

extension Confirmation {
    static func refusal(of id: HeldReward.ID, _ scope: Scope) -> Confirmation {
        let path = PagePath.heldRewards(scope)
        return Confirmation(
            action: "\(path)/\(id)/refuse", submit: "Refuse the reward", cancel: path, name: "\(id)", label: "the reward's id",
            consequence: "The reward is not granted, unless your server reports its event.")
    }
}

extension EmptyState {
    static func noHeldReward(isFiltered: Bool) -> EmptyState {
        isFiltered
            ? EmptyState(emptyTitle: "No held reward matches", emptyText: "Remove a condition.")
            : EmptyState(
                emptyTitle: "No reward is held",
                emptyText:
                    "Rewards above the limits fraud.rewards_per_address, fraud.rewards_per_network and fraud.rewards_per_day are "
                    + "held, those for users who were referred above them, and those with fraud signals, which are off by default. "
                    + "They are settings of the app.")
    }
}

extension Equivalents {
    static func heldRewards(_ key: String, _ chosen: [(name: String, value: String)]) -> Equivalents {
        let options = chosen.map { " --\($0.name) \($0.value.shellQuoted)" }.joined()
        return Equivalents(
            command: """
                linden rewards held --app \(key)\(options)
                linden rewards release ID --app \(key)
                linden rewards refuse ID --app \(key)
                """,
            call: "GET " + PagePath.query("/api/v1/rewards/held", [("app", key)] + chosen)
                + "\nPOST /api/v1/rewards/held/decisions?app=\(key)")
    }
}
