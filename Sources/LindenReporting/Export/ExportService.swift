import Linden
import LindenKernel

/// The description of an export.
package struct ExportRequest: Sendable {
    package let scope: Scope
    package let topic: ExportTopic
    package let range: ExportRange
    package var columns: [ExportColumn]
    package var format = ExportFormat.csv
    package var times = ExportTimes.branch(in: nil)
    package var ids = ExportIDs.number
    /// Whether a file fetched later is compressed with gzip.
    package var isGzipped = false
    package var filter: ExportFilter?
    /// The maximum number of rows.
    package var limit = Int64.max
    /// Restricts the export to rows after the end of an earlier export.
    package var since: ExportCheckpoint?
    /// Restricts the export to rows found when its job ran.
    var through = Int64.max

    package init(scope: Scope, topic: ExportTopic, range: ExportRange) {
        self.scope = scope
        self.topic = topic
        self.range = range
        columns = ExportColumn.all(of: topic)
    }
}

/// The position at which an export ended: all its rows have ids up to it, all later rows have greater ids.
package struct ExportCheckpoint: Sendable, Equatable {
    package let id: Int64

    package init(id: Int64) { self.id = id }

    /// Reads the checkpoint of a manifest. Fails with `invalid` for any other text.
    package init(_ text: String) throws {
        guard let id = Int64(text), id >= 0 else {
            throw Failure.invalid("\"\(text)\" is not a checkpoint: use the number in the previous export's manifest.")
        }
        self.id = id
    }

    package var text: String { String(id) }

    /// Returns the id. Fails with `invalid` at or beyond the watermark: no export ends there, and no rows would follow.
    func checked(_ watermark: Int64) throws -> Int64 {
        guard id < watermark else {
            throw Failure.invalid("\(id) is not a checkpoint of this server: it is in the future.")
        }
        return id
    }
}

/// Exports the rows of the logs.
package struct ExportService: Sendable {
    let storage: any ReportingStorage
    let publicIDs: PublicIDs
    let baseURL: BaseURL
    let key: DownloadKey
    package let random: RandomSource
    package let clock: WallClock
    let showsAddresses: Bool
    package let limits: OrderLimits
    let visitors = VisitorCache()
    /// One page of an export is read at a time, so that pages of 2 MB leave other readers to visits.
    let pageTurns = Turns<AllCallers>(mostWaiting: 4096, refusal: "Too many exports are being read; please try again.")
    let latestTurns = AnswerTurns<App.ID>(of: "lists")
    /// The watermark of ``recentWatermark()``.
    let cachedWatermark = SecondCache<Int64>()

    package init(
        storage: any ReportingStorage, installationKey: InstallationKey, publicIDs: PublicIDs, baseURL: BaseURL,
        privacy: AddressPrivacy,
        clock: WallClock, random: RandomSource, limits: OrderLimits
    ) {
        self.limits = limits
        key = DownloadKey(installationKey)
        self.clock = clock
        self.random = random
        self.storage = storage
        self.publicIDs = publicIDs
        self.baseURL = baseURL
        showsAddresses = privacy.form == .raw
    }

    /// Begins an export, which ends at the current watermark at the latest.
    ///
    /// - Parameter page: the size of the pages to read.
    package func begin(_ request: ExportRequest, page: ExportPageLimit = ExportPageLimit()) async throws -> ExportCursor {
        let settled = try await watermark()
        let first = IDGenerator.first(at: request.range.from) - 1
        let since = try request.since?.checked(settled) ?? 0
        let (begin, end) = (
            min(max(first, since), settled - 1),
            min(IDGenerator.first(at: request.range.to) - 1, settled - 1, request.through)
        )
        let ends = try await storage.read { try $0.exportEnds(of: request.topic, after: begin, through: end) }
        return ExportCursor(
            service: self, request: request, app: try await app(of: request.scope),
            longLinkKey: try await longLinkKey(of: request.scope), after: begin, through: end, ends: ends,
            limit: page)
    }

    /// Returns nil if the app does not exist any more.
    func app(of scope: Scope) async throws -> AppContext? {
        try await storage.read { try $0.appContext(scope: scope, withRoutes: false) }
    }

    /// Returns the app key in the addresses of a scope's long links. It is the scope's first key, so that a link has the same address in
    /// all exports, regardless of keys and domains added later. Nil if there is none.
    func longLinkKey(of scope: Scope) async throws -> String? {
        try await storage.read { reader in
            let keys = try reader.appKeys(of: scope.app).filter { $0.scope == scope }
            return (keys.filter { $0.replacedAt != nil }.min { $0.replacedAt! < $1.replacedAt! } ?? keys.first)?.branchKey
        }
    }
}
