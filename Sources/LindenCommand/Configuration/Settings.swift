import Connections
import Linden
import LindenKernel
import LindenReporting
import LindenServices
import Logging
import OpenID
import SQLiteStorage
import Server

enum StatementPreparation: String, CaseIterable {
    case auto
    case off
}

/// The validated settings of the server and the commands. `Config/linden.yaml` is the commented list of keys.
struct Settings: Sendable {
    var host: String
    var port: Int
    /// The public base URL; nil if unset. A server then uses the address that it listens on, a command the base URL of the last server on
    /// the database.
    var baseURL: BaseURL?
    var trustedProxies: [Network]
    /// Seconds for which browsers are to use https alone for a host that they visited; nil for no such answer.
    var strictTransportSeconds: Int?
    /// Nil if the server does not speak TLS itself.
    var tls: TLSSettings?
    var maximumBodyBytes: Int
    var maximumBulkBytes: Int
    var connections = ConnectionLimits()
    var linkSizes = LinkSizeLimits()
    var associationShape: AssociationFiles.Shape
    var database: DatabaseLocation
    var durability: SQLiteOptions.Durability
    /// Whether statements are prepared on PostgreSQL, or its sessions are a pooler's.
    var prepared = StatementPreparation.auto
    var onClickFailure: ClickFailurePolicy
    /// The gateway that text messages are sent through, with its token; nil if none are sent.
    var textMessageGateway: (url: String, token: String?)?
    /// Path of the database of countries by network; nil if there is none.
    var countryFile: String?
    /// Path of the list of networks whose addresses are shared by many clients; nil if there is none.
    var sharedRangesFile: String?
    /// Path of the database of autonomous systems by network; nil if there is none.
    var ownerFile: String?
    /// Numbers of the autonomous systems whose addresses are shared by many clients.
    var sharedOwners: Set<UInt32> = []
    /// The rules of probabilistic matching.
    var rules = AttributionRules.standard
    var privacy = AddressPrivacy()
    var retention = Retention.forever
    /// Whether the attribution tokens that SDKs send are exchanged with Apple for search ad attributions.
    var exchangesAdTokens = false
    var limits = RateLimits()
    var orders = OrderLimits()
    /// Bytes of free disk space below which only visits and reads are served; 0 for no minimum.
    var minimumFreeDisk = DiskMonitor.standardMinimum
    var dashboard = DashboardSettings()
    var backup = BackupSettings()
    /// The OpenID provider of the dashboard's users; nil if they sign in by passwords only.
    var openID: OpenIDSettings?
    var logLevel: Logger.Level
    /// The address of metrics and health checks for monitors; nil if there are none.
    var adminAddress: AdminAddress?
    /// Nil if no request is traced.
    var traces: TraceSettings?
    /// The format of the log of requests; nil if there is none.
    var requestLog: RequestLog.Format?

    /// The base URL that is derived from the address and port to listen on.
    func standardBaseURL() throws -> BaseURL {
        let isAny = host == "0.0.0.0" || host == "::"
        let name = isAny ? "127.0.0.1" : host.contains(":") ? "[\(host)]" : host
        return try BaseURL("\(tls == nil ? "http" : "https")://\(name):\(port)")
    }

    var serverOptions: ServerOptions {
        ServerOptions(
            trustedProxies: trustedProxies, maximumBodyBytes: maximumBodyBytes, maximumBulkBytes: maximumBulkBytes,
            connections: connections, associationShape: associationShape, dashboard: dashboard,
            strictTransport: strictTransportSeconds.map { "max-age=\($0)" })
    }
}
