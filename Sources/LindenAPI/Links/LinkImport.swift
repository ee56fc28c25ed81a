import Linden
import LindenKernel
import LindenServices

/// A file of links to create: CSV with the columns of the export. Each row succeeds or fails on its own.
package struct LinkImport: Sendable {
    package static let mostRows = 1000
    package static let mostBytes = 512 << 10

    private static let mostCells = 64
    private static let rowsPerTransaction = 100

    private let rows: [(number: Int, link: Result<NewLink, Failure>)]

    package var rowCount: Int { rows.count }

    /// Fails with `invalid` for a file that is no CSV in UTF-8 or has unknown columns, and with `tooLarge`; problems of a row are its outcome.
    package init(csv bytes: [UInt8], _ publicIDs: PublicIDs, mostRows: Int = LinkImport.mostRows) throws {
        var lines = try CSVReader.rows(bytes, atMost: mostRows + 1, cells: Self.mostCells)[...]
        guard let header = lines.popFirst() else {
            throw Failure.invalid("The file is empty: its first row must name the columns.")
        }
        let positions = try LinkTable.positions(in: header.cells)
        guard !lines.isEmpty else { throw Failure.invalid("The file has no row below the names of the columns.") }
        var numbers: [LinkAddress: Int] = [:]
        rows = lines.map { line in
            (line.number, Self.link(line, positions, publicIDs, &numbers))
        }
    }

    private static func link(
        _ line: CSVReader.Row, _ positions: [String: Int], _ publicIDs: PublicIDs, _ numbers: inout [LinkAddress: Int]
    ) -> Result<NewLink, Failure> {
        do {
            let link = try LinkTable.newLink(line.cells, positions, publicIDs)
            guard let alias = link.alias else { return .success(link) }
            let address = LinkAddress(host: link.domain?.lowercased() ?? "", path: alias)
            if let earlier = numbers[address] { throw Failure.invalid("Row \(earlier) has the alias \(alias), too.") }
            numbers[address] = line.number
            return .success(link)
        } catch {
            return .failure(error as? Failure ?? .invalid("\(error)"))
        }
    }

    /// Creates the links, or checks only in a dry run.
    ///
    /// - Parameters:
    ///   - mayTell: whether the caller may read links, see ``LinkService/importing(_:for:isDryRun:telling:)``.
    ///   - onProgress: called with the number of rows done.
    package func run(
        _ links: LinkService, for app: AppContext, isDryRun: Bool, telling mayTell: Bool = true,
        onProgress: (Int) -> Void = { _ in }
    ) async throws -> LinkImportReport {
        var outcomes: [LinkImportReport.Row] = []
        for start in stride(from: 0, to: rows.count, by: Self.rowsPerTransaction) {
            let part = rows[start..<min(start + Self.rowsPerTransaction, rows.count)]
            let results = try await links.importing(part.map(\.link), for: app, isDryRun: isDryRun, telling: mayTell)
            for (row, result) in zip(part, results) {
                outcomes.append(LinkImportReport.Row(row.number, result) { links.url(of: $0) })
            }
            onProgress(outcomes.count)
        }
        return LinkImportReport(rows: outcomes, isDryRun: isDryRun)
    }
}

/// What became of each row of an import.
package struct LinkImportReport: Sendable {
    package struct Row: Sendable {
        package enum Outcome: String, Sendable, CaseIterable {
            case created, unchanged, refused
        }

        /// The number in the file, whose first row is 1.
        package let number: Int
        package let outcome: Outcome
        /// Nil for a refused row, and for one that a dry run would create.
        package let link: Link.ID?
        package let url: String?
        package let reason: String?

        /// The most characters of a reason, and of a name in it. A thousand rows may each have names of tens of kilobytes.
        private static let (reasonLength, nameLength) = (1000, 64)

        init(_ number: Int, _ result: Result<ImportedLink, Failure>, url: (Link) -> String) {
            self.number = number
            switch result {
            case .success(.created(let link)): (outcome, self.link, self.url, reason) = (.created, link?.id, link.map(url), nil)
            case .success(.unchanged(let link)): (outcome, self.link, self.url, reason) = (.unchanged, link.id, url(link), nil)
            case .failure(let failure):
                let differences = (failure.details["differences"]?.object?.keys ?? []).map { $0.shortened(to: Self.nameLength) }
                (outcome, self.link, self.url) = (.refused, nil, nil)
                reason =
                    failure.message.shortened(to: Self.reasonLength)
                    + (differences.isEmpty ? "" : " differs in \(differences.joined(separator: ", "))")
            }
        }

        /// - `row`: its number in the file.
        /// - `outcome`: created, unchanged or refused.
        /// - `url`: the link; null without one.
        /// - `reason`: why it was refused; null if it was not.
        package var view: JSONObject {
            ["row": JSON(number), "outcome": .string(outcome.rawValue), "url": JSON(url), "reason": JSON(reason)]
        }
    }

    package let rows: [Row]
    package let isDryRun: Bool

    package func count(_ outcome: Row.Outcome) -> Int { rows.count { $0.outcome == outcome } }

    /// - `dry_run`: whether nothing was written.
    /// - `created`, `unchanged`, `refused`: numbers of rows.
    /// - `rows`: the rows in their order.
    package var view: JSONObject {
        var members: JSONObject = ["dry_run": .bool(isDryRun)]
        for outcome in Row.Outcome.allCases { members[outcome.rawValue] = JSON(count(outcome)) }
        members["rows"] = .array(rows.map { .object($0.view) })
        return members
    }
}
