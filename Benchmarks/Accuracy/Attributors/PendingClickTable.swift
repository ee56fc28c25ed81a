import Linden
import LindenKernel
import LinkRouting

/// The pending clicks of a server, in memory.
struct PendingClickTable {
    private struct Row {
        let click: SimulatedClick
        let traits: Evidence.Traits
        var isClaimed = false
    }

    /// The match window in seconds. No link of a history has a window of its own.
    private static let window: Int64 = 7200

    private var rows: [Fingerprint: [Row]] = [:]
    private var fingerprints: [Click.ID: Fingerprint] = [:]

    mutating func insert(_ click: SimulatedClick, by visitor: Visitor) {
        guard visitor.robot == nil, let os = visitor.os else { return }
        let fingerprint = Fingerprint(
            scope: scope(click.app), address: click.address.key, os: os, osVersion: visitor.osVersion ?? "")
        fingerprints[Click.ID(rawValue: Int64(click.id))] = fingerprint
        rows[fingerprint, default: []].removeAll {
            $0.click.time + .seconds(Self.window) + PendingClick.explanationPeriod <= click.time
        }
        // The page's report fills in traits that the request's headers lack.
        let traits = Evidence.Traits(
            os: os, osVersion: visitor.osVersion ?? click.page?.osVersion, model: visitor.model ?? click.page?.model,
            screen: click.page?.screen.points, language: LindenKernel.Language.primary(click.browser.language))
        rows[fingerprint, default: []].append(Row(click: click, traits: traits))
    }

    /// Returns the candidates for an install, newest first.
    func clicks(similarTo install: SimulatedInstall, _ traits: Evidence.Traits, limit: Int) -> [Evidence.SimilarClick] {
        let found = fingerprints(of: traits, install).flatMap { rows[$0, default: []].suffix(limit) }
        return found.sorted { $0.click.id > $1.click.id }.prefix(limit).map { row in
            Evidence.SimilarClick(
                click: Click.ID(rawValue: Int64(row.click.id)), link: Link.ID(rawValue: Int64(row.click.link)),
                content: row.click.content, age: (install.time.milliseconds - row.click.time.milliseconds) / 1000,
                window: Self.window, traits: row.traits, isClaimed: row.isClaimed)
        }
    }

    /// The number of unclaimed clicks that may be by a device like this one, less one for its own.
    func others(like traits: Evidence.Traits, _ install: SimulatedInstall) -> Int64 {
        let alike = fingerprints(of: traits, install).flatMap { rows[$0, default: []] }.count { row in
            !row.isClaimed && row.click.time + .seconds(Self.window) > install.time && traits.mayBe(row.traits)
        }
        return Int64(max(0, alike - 1))
    }

    mutating func claim(_ click: Click.ID) {
        guard let fingerprint = fingerprints.removeValue(forKey: click),
            let index = rows[fingerprint]?.firstIndex(where: { Int64($0.click.id) == click.rawValue })
        else { return }
        rows[fingerprint]?[index].isClaimed = true
    }

    private func fingerprints(of traits: Evidence.Traits, _ install: SimulatedInstall) -> [Fingerprint] {
        traits.comparableVersions.map {
            Fingerprint(scope: scope(install.app), address: install.address.key, os: traits.os, osVersion: $0)
        }
    }

    private func scope(_ app: Int) -> Scope { Scope(app: App.ID(rawValue: Int64(app)), mode: .live) }
}
