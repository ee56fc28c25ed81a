import Linden
import Logging
import SQLiteStorage
import Server

/// Everything the operator may set, checked. `Config/linden.yaml` is the commented list of keys.
struct Settings: Sendable {
    var host: String
    var port: Int
    /// Nil if the operator did not say: then the last server's, then what it listens on.
    var baseURL: BaseURL?
    var trustedProxies: [Network]
    var maximumBodyBytes: Int
    var maximumBulkBytes: Int
    var connections = ConnectionLimits()
    var linkSizes = LinkSizeLimits()
    var associationShape: AssociationFiles.Shape
    var databasePath: String
    var durability: SQLiteOptions.Durability
    var onClickFailure: ClickFailurePolicy
    /// Where text messages are handed in, with the token to do so; nil if none are sent.
    var textMessageGateway: (url: String, token: String?)?
    /// Of the file that tells countries; nil if there is none.
    var countryFile: String?
    /// Of the list of networks whose addresses many share; nil if there is none.
    var sharedRangesFile: String?
    /// Of the file that tells who owns networks; nil if there is none.
    var ownerFile: String?
    /// By the numbers of their autonomous systems.
    var sharedOwners: Set<UInt32> = []
    /// By which clicks are found that nothing names.
    var rules = AttributionRules.standard
    var privacy = AddressPrivacy()
    var retention = Retention.forever
    /// Whether Apple is asked for the ads behind the tokens that SDKs send.
    var exchangesAdTokens = false
    var limits = RateLimits()
    var orders = OrderLimits()
    /// Bytes of free disk space below which only visits and reads are served; 0 for no floor.
    var minimumFreeDisk = Settings.standardFreeDisk
    var logLevel: Logger.Level

    static let standardFreeDisk = 256 << 20

    /// What the server is reached at if nobody says otherwise.
    func standardBaseURL() throws -> BaseURL {
        let isAny = host == "0.0.0.0" || host == "::"
        let name = isAny ? "127.0.0.1" : host.contains(":") ? "[\(host)]" : host
        return try BaseURL("http://\(name):\(port)")
    }

    var serverOptions: ServerOptions {
        ServerOptions(
            trustedProxies: trustedProxies, maximumBodyBytes: maximumBodyBytes, maximumBulkBytes: maximumBulkBytes,
            connections: connections, associationShape: associationShape)
    }
}
