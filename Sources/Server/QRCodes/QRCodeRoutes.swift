import BranchWire
import HTTPTypes
import Hummingbird
import Linden
import LindenAPI
import LindenKernel
import LindenServices
import OutgoingHTTP

/// QR codes of links.
struct QRCodeRoutes {
    let directory: AppDirectory
    let links: LinkService
    let publicIDs: PublicIDs
    let baseURL: BaseURL
    let limiter: RateLimiter
    let options: ServerOptions
    /// Limit QR codes with a logo: each waits for a third party's server and decodes an untrusted image. Clients without the app's secret
    /// share places of their own, so they cannot take those of its servers and users.
    private let logosOfClients = ConcurrencyLimiter(limit: 8)
    private let logosOfApp = ConcurrencyLimiter(limit: 8)
    /// The logos of authorized callers. Others could fill it with logos of their own.
    private let logos = LogoCache()

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

    private func drawn(_ request: Request, _ context: LindenContext) async throws -> Response {
        let body = try await request.fields(upTo: options.maximumBodyBytes)
        let app = try await context.admittedApp(body, in: directory)
        let wanted = try QRCodeRequest(body)
        let renderer = try QRCodeRenderer(wanted.settings)
        var new = try wanted.link.newLink(publicIDs)
        new.isAuthenticated = directory.accepts(body.branchSecret, of: app)
        let caller: PictureQueue.Caller =
            new.isAuthenticated
            ? .authorized(app.scope.app) : .client(limiter.network(of: context.client))
        return try await response(renderer, in: app.scope, for: caller) { [new] in
            links.url(of: try await links.create(new, for: app))
        }
    }

    /// Returns the response with the code of a URL.
    ///
    /// - Parameter url: returns the URL. Called once, after the logo was fetched and found to be drawable.
    func response(
        _ renderer: QRCodeRenderer, in scope: Scope, for caller: PictureQueue.Caller, of url: () async throws -> String
    ) async throws -> Response {
        let image = try await image(renderer, in: scope, for: caller, of: url)
        return Response(
            status: .ok,
            headers: [.contentType: renderer.contentType, .xContentTypeOptions: "nosniff", .cacheControl: "no-store"],
            body: .init(byteBuffer: ByteBuffer(bytes: image)))
    }

    /// Returns the image of the code of a URL, see ``response(_:in:for:of:)``.
    func image(
        _ renderer: QRCodeRenderer, in scope: Scope, for caller: PictureQueue.Caller, of url: () async throws -> String
    ) async throws -> [UInt8] {
        guard let logoURL = renderer.logoURL else { return try await self.image(of: url(), renderer, nil, caller) }
        let places = caller.isAuthorized ? logosOfApp : logosOfClients
        return try await places.pass(scope, for: caller.client) {
            let cache = caller.isAuthorized ? logos : nil
            let cached = cache?.logo(at: logoURL, of: scope)
            let logo =
                if let cached { cached } else {
                    try await self.logo(logoURL, for: LookupParty.parties(of: scope.app, caller))
                }
            // A logo that cannot be drawn must fail before a link is created.
            _ = try await self.image(of: baseURL.text, renderer, logo, caller)
            if cached == nil { cache?.add(logo, at: logoURL, of: scope) }
            return try await self.image(of: url(), renderer, logo, caller)
        }
    }

    /// Fetches a logo. URLs of this server are refused: a code whose logo is another code would let the server call itself.
    private func logo(_ url: String, for parties: [LookupParty]) async throws -> [UInt8] {
        guard try await !links.isOwnHost(of: url) else {
            throw Failure.invalid("center_logo_url must not be on this server.")
        }
        do {
            return try await options.outgoing.get(
                url, for: parties, accept: "image/png, image/jpeg", limit: 1 << 20, timeout: options.logoTimeout
            ).bytes
        } catch let error as FetchError {
            throw Failure.invalid("center_logo_url: \(error.message)")
        }
    }

    /// Draws on a background thread, in the caller's turn.
    private func image(
        of url: String, _ renderer: QRCodeRenderer, _ logo: [UInt8]?, _ caller: PictureQueue.Caller
    ) async throws -> [UInt8] {
        try await PictureQueue.shared.run(for: caller) { try renderer.image(of: url, logo: logo) }
    }
}

extension LookupParty {
    /// Returns the parties that choose a logo's URL: the app, and a client without the secret by its address and site. One client can then
    /// use up neither the look-ups of an app nor, with the keys of several apps, those of all, and all clients together cannot use up those
    /// of an app's servers and users.
    static func parties(of app: App.ID, _ caller: PictureQueue.Caller) -> [LookupParty] {
        guard !caller.isAuthorized else { return [LookupParty("app \(app.rawValue)", limit: 8)] }
        let all = LookupParty("clients of app \(app.rawValue)", limit: 8)
        guard let client = caller.client else { return [all] }
        return [all, LookupParty("address \(client.address)", limit: 2), LookupParty("site \(client.site)", limit: 4)]
    }
}
