/// What is to be exported.
package struct ExportRequest: Sendable {
    package let scope: Scope
    package let topic: ExportTopic
    package let range: ExportRange
    package var columns: [ExportColumn]
    package var format = ExportFormat.csv
    package var times = ExportTimes.branch(in: nil)
    package var ids = ExportIDs.number
    /// Whether the file is gzip, where it is fetched later.
    package var isPacked = false
    package var filter: ExportFilter?
    /// At most so many rows.
    package var limit = Int64.max
    /// Only what came after an earlier export ended.
    package var since: ExportCheckpoint?
    /// Only what an earlier look at the same export found.
    var through = Int64.max

    package init(scope: Scope, topic: ExportTopic, range: ExportRange) {
        self.scope = scope
        self.topic = topic
        self.range = range
        columns = ExportColumn.all(of: topic)
    }
}

/// How far an export went: an id that all its rows are up to, and all later rows beyond.
package struct ExportCheckpoint: Sendable, Equatable {
    package let id: Int64

    package init(id: Int64) { self.id = id }

    /// Reads what a manifest says. Fails with `invalid`.
    package init(_ text: String) throws {
        guard let id = Int64(text), id >= 0 else {
            throw Failure.invalid("\"\(text)\" is no checkpoint: it is the number that the manifest of the export before says.")
        }
        self.id = id
    }

    package var text: String { String(id) }

    /// Its id. Fails with `invalid` beyond the settled horizon, which no export passes: there would be nothing for ever.
    func checked(_ settledHorizon: Int64) throws -> Int64 {
        guard id < settledHorizon else {
            throw Failure.invalid("\(id) is no checkpoint of an export from here: it is later than now.")
        }
        return id
    }
}

/// Writes what was logged for whoever wants it elsewhere.
package struct ExportService: Sendable {
    let storage: any Storage
    let publicIDs: PublicIDs
    let baseURL: BaseURL
    let key: DownloadKey
    let random: RandomSource
    package let clock: WallClock
    let showsAddresses: Bool
    let limits: OrderLimits
    let visitors = VisitorCache()
    private let sharedHorizon = SharedHorizon()

    init(
        storage: any Storage, installationKey: InstallationKey, publicIDs: PublicIDs, baseURL: BaseURL, privacy: AddressPrivacy,
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

    /// Begins an export, which ends where the log ended then at the latest.
    ///
    /// - Parameter page: what is read at once.
    package func begin(_ request: ExportRequest, page: ExportPageLimit = ExportPageLimit()) async throws -> ExportCursor {
        let settled = try await settledHorizon()
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

    /// Nil where it is gone.
    func app(of scope: Scope) async throws -> AppContext? {
        try await storage.read { try $0.appContext(scope: scope, withRoutes: false) }
    }

    /// The key that a scope's long links are shown with: its first one, so that a link has one address in all exports, whichever keys and
    /// domains came later. Nil where the app is gone.
    func longLinkKey(of scope: Scope) async throws -> String? {
        try await storage.read { reader in
            let keys = try reader.appKeys(of: scope.app).filter { $0.scope == scope }
            return (keys.filter { $0.replacedAt != nil }.min { $0.replacedAt! < $1.replacedAt! } ?? keys.first)?.branchKey
        }
    }

    /// An id that every row of now is below and every later row is not: ids are taken within write transactions, of which there is one at a
    /// time, and this is one.
    func settledHorizon() async throws -> Int64 {
        try await storage.write { IDGenerator.first(at: $0.now) }
    }

    /// The same, or what it was less than a second ago: however many listen, it is looked for once a second.
    func recentHorizon() async throws -> Int64 {
        try await sharedHorizon.horizon(at: clock.now()) { try await settledHorizon() }
    }
}
