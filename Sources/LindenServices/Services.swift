import Linden
import LindenKernel
import LindenLedger
import LindenReporting
import Logging

/// The services of the domain, assembled for a front end: HTTP, the command line or a test.
package final class Services: Sendable {
    package let apps: AppService
    package let directory: AppDirectory
    package let keyRotation: KeyRotationService
    package let domains: DomainService
    package let certificateHosts: CertificateHosts
    package let routes: RouteService
    package let links: LinkService
    package let linkLists: LinkListService
    package let clicks: ClickService
    package let clickLists: ClickListService
    package let sessions: SessionService
    package let browsers: BrowserService
    package let addresses: AddressPseudonymizer
    package let refusedURLs: RefusedURLMonitor
    package let unroutedLinks: UnroutedLinkMonitor
    package let proxyFaults: ProxyFaultMonitor
    package let diagnosis: AppDiagnosisService
    package let identities: IdentityService
    package let people: IdentityDataService
    package let explanations: ExplanationService
    package let replays: ReplayService
    /// The rules by which the server decides now.
    package let attributionRules: AttributionRules
    package let textMessages: TextMessageService
    package let lastTouches: LastTouchService
    package let events: EventService
    package let objects: ObjectService
    package let rates: RateService
    package let statistics: LinkStatisticsService
    package let rollups: RollupService
    package let analytics: AnalyticsService
    package let reports: ReportService
    /// Nil if ad tokens are not exchanged with Apple.
    package let tokenExchanges: TokenExchanges?
    package let sitemaps: SitemapService
    package let credits: CreditService
    package let rewards: RewardService
    package let heldRewards: HeldRewardService
    package let referralCodes: ReferralCodeService
    package let verification: VerificationService
    package let audit: AuditService
    package let exports: ExportService
    package let retention: RetentionService
    package let system: SystemService
    package let subjectRequests: SubjectRequestService
    package let tokens: TokenService
    package let dashboardUsers: DashboardUserService
    package let sharedQuestions: SharedQuestionService
    package let linkTemplates: LinkTemplateService
    package let maintenance: Maintenance
    package let publicIDs: PublicIDs
    package let baseURL: BaseURL
    package let limiter: RateLimiter
    package let refusals: RefusalMonitor
    package let disk: DiskMonitor
    package let clock: WallClock
    package let storage: any Database

    /// - Parameters:
    ///   - installationKey: the database's own key, see ``InstallationKey``.
    ///   - uptime: the limiter's clock, in nanoseconds.
    ///   - passwords: nil if this program was built without passwords.
    ///   - identityProvider: nil unless users of the dashboard may sign in by an OpenID provider.
    ///   - minimumFreeDisk: see ``DiskMonitor``.
    ///   - files: the files of the server, for its operators.
    package init(
        storage: any Database, installationKey: InstallationKey, baseURL: BaseURL, clock: WallClock = .system,
        random: RandomSource = .system, onClickFailure: ClickFailurePolicy = .refuse,
        textMessageGateway: (any TextMessageGateway)? = nil,
        country: @escaping CountryLookup = { _ in nil }, addressClass: @escaping AddressClassLookup = { _ in .plain },
        privacy: AddressPrivacy = AddressPrivacy(), retention: Retention = .forever, linkSizes: LinkSizeLimits = LinkSizeLimits(),
        attributionRules: AttributionRules = .standard, adTokens: (any AdTokenService)? = nil,
        limits: RateLimits = .off, orders: OrderLimits = OrderLimits(), passwords: (any PasswordHasher)? = nil,
        identityProvider: (any IdentityProvider)? = nil,
        uptime: @escaping @Sendable () -> Int64 = RateLimiter.uptime,
        dashboardHost: String? = nil, minimumFreeDisk: Int64 = 0, freeDisk: @escaping @Sendable () -> Int64? = { nil },
        files: ServerFiles = ServerFiles(), logger: Logger = Logger(label: "linden")
    ) {
        let storage: any Database = AuditedDatabase(storage)
        self.storage = storage
        let (domain, ledger, reporting) = (storage.domain, storage.ledger, storage.reporting)
        self.clock = clock
        self.baseURL = baseURL
        refusals = RefusalMonitor(clock: clock, logger: logger)
        limiter = RateLimiter(limits: limits, refusals: refusals, now: uptime)
        disk = DiskMonitor(minimum: minimumFreeDisk, refusals: refusals, logger: logger, freeBytes: freeDisk)
        publicIDs = PublicIDs(key: installationKey)
        directory = AppDirectory(storage: domain, clock: clock)
        let linkDirectory = LinkDirectory(storage: domain, apps: directory, baseURL: baseURL, publicIDs: publicIDs)
        let associations = AssociationDirectory(storage: domain, baseURL: baseURL)
        let caches = AppCaches(apps: directory, links: linkDirectory, associations: associations)
        apps = AppService(storage: domain, caches: caches, random: random, dashboardHost: dashboardHost)
        keyRotation = KeyRotationService(storage: storage, random: random, caches: caches)
        let lists = AnswerTurns<App.ID>(of: "lists")
        domains = DomainService(
            storage: domain, links: linkDirectory, associations: associations, caches: caches, baseURL: baseURL,
            dashboardHost: dashboardHost, turns: lists)
        certificateHosts = CertificateHosts(links: linkDirectory, baseURL: baseURL)
        routes = RouteService(storage: domain, caches: caches)
        links = LinkService(
            storage: domain, directory: linkDirectory, baseURL: baseURL, random: random, sizes: linkSizes)
        linkLists = LinkListService(storage: reporting, turns: lists)
        clickLists = ClickListService(storage: reporting, turns: lists)
        addresses = AddressPseudonymizer(storage: domain, privacy: privacy, clock: clock, random: random)
        unroutedLinks = UnroutedLinkMonitor(clock: clock, logger: logger)
        refusedURLs = RefusedURLMonitor(storage: domain, clock: clock, logger: logger)
        proxyFaults = ProxyFaultMonitor(storage: storage, clock: clock, logger: logger)
        clicks = ClickService(
            storage: domain, links: linkDirectory, publicIDs: publicIDs, country: country, addressClass: addressClass,
            addresses: addresses, refusedURLs: refusedURLs, clock: clock, onFailure: onClickFailure,
            recordedQuery: { [disk, limiter] in limiter.recordedQuery(disk.recordedQuery($0), of: $1, from: $2) },
            logger: logger)
        sessions = SessionService(
            storage: domain, links: linkDirectory, baseURL: baseURL, publicIDs: publicIDs, country: country,
            addressClass: addressClass, addresses: addresses, exchangesAdToken: limiter.adTokenRule(isOn: adTokens != nil),
            rules: attributionRules,
            clock: clock)
        tokenExchanges = adTokens.map { TokenExchanges(storage: domain, rules: attributionRules, apple: $0) }
        browsers = BrowserService(storage: domain, addresses: addresses)
        identities = IdentityService(storage: domain, installationKey: installationKey)
        people = IdentityDataService(storage: storage, caches: caches, publicIDs: publicIDs)
        textMessages = TextMessageService(
            storage: storage, links: linkDirectory, baseURL: baseURL, publicIDs: publicIDs, clock: clock,
            gateway: textMessageGateway)
        explanations = ExplanationService(storage: reporting, publicIDs: publicIDs)
        self.attributionRules = attributionRules
        replays = ReplayService(storage: reporting, baseURL: baseURL, publicIDs: publicIDs)
        lastTouches = LastTouchService(storage: domain, baseURL: baseURL)
        events = EventService(storage: domain, addresses: addresses)
        objects = ObjectService(storage: storage)
        rates = RateService(storage: domain, clock: clock)
        statistics = LinkStatisticsService(storage: reporting, clock: clock)
        rollups = RollupService(storage: reporting, clock: clock)
        analytics = AnalyticsService(storage: reporting, clock: clock, baseURL: baseURL)
        reports = ReportService(storage: reporting, installationKey: installationKey, clock: clock, random: random)
        diagnosis = AppDiagnosisService(
            events: events, domains: domains, analytics: analytics, refusedURLs: refusedURLs, proxyFaults: proxyFaults,
            limits: limits)
        system = SystemService(
            storage: storage, clock: clock, retention: retention, minimumFreeBytes: minimumFreeDisk, freeBytes: freeDisk,
            files: files, diagnosis: diagnosis)
        sitemaps = SitemapService(storage: reporting, directory: directory, baseURL: baseURL)
        credits = CreditService(storage: ledger)
        rewards = RewardService(storage: ledger, turns: lists)
        heldRewards = HeldRewardService(storage: ledger, addresses: addresses, turns: lists, clock: clock, logger: logger)
        referralCodes = ReferralCodeService(storage: ledger, addresses: addresses, random: random)
        verification = VerificationService(storage: storage)
        audit = AuditService(storage: storage, turns: lists)
        self.retention = RetentionService(storage: storage, clock: clock, retention: retention)
        exports = ExportService(
            storage: reporting, installationKey: installationKey, publicIDs: publicIDs, baseURL: baseURL, privacy: privacy,
            clock: clock, random: random, limits: orders)
        subjectRequests = SubjectRequestService(storage: storage, people: people, publicIDs: publicIDs, exports: exports)
        tokens = TokenService(storage: storage, random: random)
        dashboardUsers = DashboardUserService(
            storage: storage, passwords: passwords, provider: identityProvider, clock: clock, random: random)
        linkTemplates = LinkTemplateService(storage: storage, sizes: links.sizes)
        sharedQuestions = SharedQuestionService(storage: storage, analytics: analytics, random: random)
        maintenance = Maintenance(
            storage: storage, statistics: statistics, rollups: rollups, addresses: addresses, credits: credits,
            retention: self.retention, clock: clock)
    }
}
