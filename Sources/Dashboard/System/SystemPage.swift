import Linden
import LindenAPI
import LindenKernel
import LindenReporting
import LindenServices

/// The server, its disk and its database, for administrators of all apps.
extension Dashboard {
    func systemPage(_ page: PageRequest) async throws -> DashboardAnswer {
        let status = try await services.system.status()
        var blocks: [Block] = []
        if let problem = status.writeProblem { blocks.append(.problem("The last write to the database failed: \(problem)")) }
        blocks += [
            Block(facts: .server(status, services.baseURL)), .heading("Counting"), Block(facts: .counting(status)),
            .heading("Retention"), Block(facts: .retention(status.retention)),
            Block(
                table: Table(
                    status.findings.isEmpty ? "The doctor has no findings" : "What the doctor finds",
                    ["Status", "Check", "Finding"].map { Table.Column(columnLabel: $0) },
                    status.findings.map { [Cell($0.status.rawValue), Cell($0.check), Cell($0.message)] }, isCaptionVisible: true)),
            Block(
                equivalents: Equivalents(
                    command: "linden status\nlinden doctor app KEY\nlinden verify\nlinden backup FOLDER",
                    call: "GET /readyz\nGET /api/v1/doctor?app=KEY")),
        ]
        return PageView("System", lead: "The server and its database.", blocks).with(try page.user).answer()
    }
}

extension Facts {
    fileprivate static func server(_ status: SystemStatus, _ baseURL: BaseURL) -> Facts {
        let minimum = status.minimumFreeBytes > 0 ? "; below \(status.minimumFreeBytes.asBytes) writes are refused" : ""
        return Facts([
            ("Version", Cell(status.version)),
            ("Started", .time(status.startedAt.iso8601)),
            ("Running for", Cell((status.now.seconds - status.startedAt.seconds).asUptime)),
            ("Base URL", Cell(baseURL.text)),
            ("Database", .code(status.database ?? "in memory")),
            ("Size of the database", Cell(status.databaseBytes?.asBytes ?? "unknown")),
            ("Free on its disk", Cell((status.freeBytes?.asBytes ?? "unknown") + minimum)),
            ("Newest backup", .backup(status)),
        ])
    }

    fileprivate static func counting(_ status: SystemStatus) -> Facts {
        let waiting =
            switch status.waiting {
            case .none: "none"
            case .some: "fewer than \(Int64(CountingSchedule.mostRows).grouped)"
            case .many: "\(Int64(CountingSchedule.mostRows).grouped) or more"
            }
        return Facts(
            ActivityLog.allCases.map { log in
                ("Totals of \(log.rawValue) until", status.countedUntil[log].map { .time($0.iso8601) } ?? Cell("none yet"))
            } + [("Rows that are not in all totals yet", Cell(waiting))])
    }

    fileprivate static func retention(_ retention: Retention) -> Facts {
        Facts(
            Retention.Log.allCases.map { log in
                (
                    log.rawValue.prefix(1).uppercased() + log.rawValue.dropFirst(),
                    Cell(retention.days[log].map { "\($0) days" } ?? "kept for good")
                )
            })
    }
}

extension Cell {
    fileprivate static func backup(_ status: SystemStatus) -> Cell {
        switch status.backups {
        case .off: return Cell("none: backup.folder is not set")
        case .unreadable(_, let reason): return Cell(reason)
        case .folder(let folder, nil): return Cell("none yet in \(folder)")
        case .folder(let folder, let newest?):
            var cell = Cell.time(newest.time.iso8601)
            cell.cellNote = "\(newest.bytes.asBytes) in \(folder)"
            return cell
        }
    }
}
