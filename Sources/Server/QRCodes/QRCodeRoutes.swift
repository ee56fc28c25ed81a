import BranchWire
import HTTPTypes
import Hummingbird
import Linden
import LindenKernel
import LindenServices

#if QR
    import OutgoingHTTP
    import QRCodes
#endif

/// QR codes of links.
struct QRCodeRoutes {
    let directory: AppDirectory
    let links: LinkService
    let publicIDs: PublicIDs
    let baseURL: BaseURL
    let limiter: RateLimiter
    let options: ServerOptions
    /// Limits QR codes with a logo: each waits for a third party's server and decodes an untrusted image.
    private let logoLimiter = ConcurrencyLimiter(limit: 8)

    init(
        directory: AppDirectory, links: LinkService, publicIDs: PublicIDs, baseURL: BaseURL, limiter: RateLimiter,
        options: ServerOptions
    ) {
        self.directory = directory
        self.links = links
        self.publicIDs = publicIDs
        self.baseURL = baseURL
        self.limiter = limiter
        self.options = options
    }

    /// Creates a link and draws its QR code. Style and logo are validated before the link is created.
    ///
    /// Errors have their message at the top level, where the iOS SDK reads it.
    func draw(_ request: Request, _ context: LindenContext) async throws -> Response {
        do {
            return try await drawn(request, context)
        } catch let failure as Failure {
            return Response(failure.answer(withMessageOnTop: true))
        }
    }

    #if QR
        private func drawn(_ request: Request, _ context: LindenContext) async throws -> Response {
            let body = try await request.fields(upTo: options.maximumBodyBytes)
            let app = try await context.app(body, in: directory)
            let wanted = try QRCodeRequest(body)
            let style = try QRCodeStyle(wanted)
            var new = try wanted.link.newLink(publicIDs)
            new.isAuthenticated = directory.accepts(body.branchSecret, of: app)
            let client = new.isAuthenticated ? nil : limiter.network(of: options.clientAddress(of: request, context))
            let image =
                if let logoURL = wanted.logoURL {
                    try await logoLimiter.pass(app.scope, for: client) {
                        let logo = try await logo(logoURL, for: LookupParty.parties(of: app.scope.app, client))
                        // A logo that cannot be drawn must fail before the link is created.
                        _ = try await self.image(of: baseURL.text, style, logo)
                        return try await self.image(of: url(of: new, app), style, logo)
                    }
                } else {
                    try await self.image(of: url(of: new, app), style, nil)
                }
            return Response(
                status: .ok,
                headers: [.contentType: style.format.contentType, .xContentTypeOptions: "nosniff", .cacheControl: "no-store"],
                body: .init(byteBuffer: ByteBuffer(bytes: image)))
        }

        private func url(of new: NewLink, _ app: AppContext) async throws -> String {
            links.url(of: try await links.create(new, for: app))
        }

        /// Fetches a logo. URLs of this server are refused: a code whose logo is another code would let the server call itself.
        private func logo(_ url: String, for parties: [LookupParty]) async throws -> [UInt8] {
            guard try await !links.isOwnHost(of: url) else {
                throw Failure.invalid("center_logo_url must not be on this server.")
            }
            do {
                return try await options.outgoing.get(
                    url, for: parties, accept: "image/png, image/jpeg", limit: 1 << 20, timeout: .seconds(3)
                ).bytes
            } catch let error as FetchError {
                throw Failure.invalid("center_logo_url: \(error.message)")
            }
        }

        /// Draws on a background thread: it takes milliseconds, and more with a hostile logo.
        private func image(of url: String, _ style: QRCodeStyle, _ logo: [UInt8]?) async throws -> [UInt8] {
            do {
                return try await BackgroundThreads.pictures.run { try QRCode(text: url, style: style, logo: logo).image() }
            } catch let error as QRCodeError {
                throw Failure.invalid("The QR code cannot be drawn: \(error.message)")
            }
        }
    #else
        private func drawn(_ request: Request, _ context: LindenContext) async throws -> Response {
            throw Failure.notFound("This server was built without QR codes (package trait QR).")
        }
    #endif
}

#if QR
    extension LookupParty {
        /// Returns the parties that choose a logo's URL: the app, and a client without the secret by its address and site. One client can
        /// then use up neither the look-ups of an app nor, with the keys of several apps, those of all.
        static func parties(of app: App.ID, _ client: ClientNetwork?) -> [LookupParty] {
            let ofApp = LookupParty("app \(app.rawValue)", limit: 8)
            guard let client else { return [ofApp] }
            return [ofApp, LookupParty("address \(client.address)", limit: 2), LookupParty("site \(client.site)", limit: 4)]
        }
    }

    extension QRCodeStyle {
        /// Fails with `invalid`, naming the setting.
        init(_ wanted: QRCodeRequest) throws {
            func color(_ name: String) throws -> Color? {
                try wanted.text(name).map { text in
                    do {
                        return try Color(text)
                    } catch let error as QRCodeError {
                        throw Failure.invalid("\(name): \(error.message)")
                    }
                }
            }
            do {
                self = try QRCodeStyle(
                    width: try wanted.width() ?? QRCodeStyle.standardWidth,
                    margin: try wanted.margin() ?? QRCodeStyle.standardMargin,
                    format: try wanted.text("image_format").map { try Format($0) } ?? .png,
                    codeColor: try color("code_color") ?? .black,
                    backgroundColor: try color("background_color") ?? .white, finderPatternColor: try color("finder_pattern_color"),
                    finderEyeColor: try color("finder_eye_color"))
            } catch let error as QRCodeError {
                throw Failure.invalid("qr_code_settings: \(error.message)")
            }
        }

        // Branch's defaults (https://help.branch.io, QR code API).
        private static let standardWidth = 300
        private static let standardMargin = 1
    }
#endif
