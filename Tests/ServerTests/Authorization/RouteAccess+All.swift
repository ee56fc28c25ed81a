import Linden
import LindenKernel
import LindenServices
import LindenTesting

extension RouteAccess {
    private static let tokens: Set<Caller> = [.analyst, .editor, .admin]

    /// One or more entries for each route.
    static let all: [RouteAccess] = open + links + sdk + credits + secret + operators + management + files

    // MARK: Without a key

    private static let open: [RouteAccess] = [
        RouteAccess("GET /healthz", Caller.all), RouteAccess("HEAD /healthz", Caller.all),
        RouteAccess("GET /readyz", Caller.all), RouteAccess("HEAD /readyz", Caller.all),
        RouteAccess("GET /openapi.yaml", Caller.all), RouteAccess("HEAD /openapi.yaml", Caller.all),
        RouteAccess("GET /.well-known/apple-app-site-association", Caller.all),
        RouteAccess("HEAD /.well-known/apple-app-site-association", Caller.all),
        RouteAccess("GET /apple-app-site-association", Caller.all), RouteAccess("HEAD /apple-app-site-association", Caller.all),
        RouteAccess("GET /.well-known/assetlinks.json", Caller.all), RouteAccess("HEAD /.well-known/assetlinks.json", Caller.all),
        RouteAccess("GET /robots.txt", Caller.all), RouteAccess("HEAD /robots.txt", Caller.all),
        RouteAccess("GET /favicon.ico", Caller.all), RouteAccess("HEAD /favicon.ico", Caller.all),
        RouteAccess("GET /_r", Caller.all),
        RouteAccess("GET /", Caller.all, { orchard, _ in orchard.link }),
        RouteAccess("HEAD /", Caller.all, { orchard, _ in orchard.link }),
        RouteAccess("GET /**", Caller.all, { orchard, _ in orchard.link }),
        RouteAccess("HEAD /**", Caller.all, { orchard, _ in orchard.link }),
        // No resources for any caller; the calls of these are forwarded by a proxy, which alone may ask.
        RouteAccess("GET /api/v1/certificates/ask", [], { _, _ in "/api/v1/certificates/ask?domain=go.example.com" }),
        RouteAccess("GET /sitemap.xml", []), RouteAccess("HEAD /sitemap.xml", []),
        RouteAccess("GET /sdk/{list}", [], { _, _ in "/sdk/skip" }),
        RouteAccess("GET /c/{click_id}", Caller.all, { orchard, _ in "/c/" + orchard.click }),
        RouteAccess("HEAD /c/{click_id}", Caller.all, { orchard, _ in "/c/" + orchard.click }),
        RouteAccess("GET /c/{click_id}/device", [], { orchard, _ in "/c/\(orchard.click)/device" }),
        RouteAccess("HEAD /c/{click_id}/device", [], { orchard, _ in "/c/\(orchard.click)/device" }),
        // Authorized by the id of a click or a user.
        RouteAccess("POST /c/{click_id}/device", Caller.all, { orchard, _ in "/c/\(orchard.click)/device" }) { _ in ["w": 390] },
        RouteAccess("GET /v1/referrals/{identity_id}", Caller.all, { orchard, _ in "/v1/referrals/" + orchard.identity }),
        RouteAccess(
            "GET /v1/credits/{identity_id}",
            Caller.all.subtracting([
                .unknownKey, .endedKey, .otherApp, .testKey, .testKeyWithLiveSecret, .testKeyWithTestSecret,
            ]),
            { orchard, _ in "/v1/credits/" + orchard.identity }),
    ]

    // MARK: Links

    private static let links: [RouteAccess] = [
        RouteAccess("POST /v1/url", Caller.anyKey) { _ in [:] },
        RouteAccess("POST /v1/url/bulk/{branch_key}", Caller.anyKey, { _, key in "/v1/url/bulk/" + key }, isBulk: true) { _ in [:]
        },
        RouteAccess("GET /v1/url", Caller.keys, { orchard, _ in "/v1/url?url=https://go.example.com" + orchard.link }),
        RouteAccess("PUT /v1/url", Caller.secrets, { orchard, _ in "/v1/url?url=https://go.example.com" + orchard.link }) { _ in
            ["channel": "mail"]
        },
        RouteAccess(
            "DELETE /v1/url", [.editor, .admin],
            { orchard, _ in "/v1/url?url=https://go.example.com\(orchard.link)&app_id=\(orchard.app.app.id)" }, actsOnce: true),
    ]

    // MARK: SDK calls

    private static let sdk: [RouteAccess] =
        [
            RouteAccess("POST /v1/install", Caller.anyKey) { _ in ["os": "iOS", "os_version": "17.5"] },
            RouteAccess("POST /v1/open", Caller.anyKey) { ["os": "iOS", "device_fingerprint_id": .string($0.device)] },
            RouteAccess("POST /v1/close", Caller.anyKey) { ["session_id": .string($0.session)] },
            RouteAccess("POST /v1/profile", Caller.anyKey) {
                ["identity": "ann", "device_fingerprint_id": .string($0.device), "identity_id": .string($0.identity)]
            },
            RouteAccess("POST /v1/logout", Caller.anyKey) {
                ["device_fingerprint_id": .string($0.device), "identity_id": .string($0.identity)]
            },
            RouteAccess("POST /v1/cpid", Caller.anyKey) { ["identity_id": .string($0.identity)] },
            RouteAccess("POST /v1/cpid/latd", Caller.anyKey) { ["identity_id": .string($0.identity)] },
            RouteAccess("GET /v1/deepview", Caller.anyKey, { _, _ in "/v1/deepview?data=%7B%7D" }),
            RouteAccess("POST /v1/deepview", Caller.anyKey) { _ in ["data": [:]] },
            RouteAccess("GET /_strong_match", Caller.anyKey),
            RouteAccess("GET /v1/has-app/{branch_key}", Caller.anyKey, { _, key in "/v1/has-app/" + key }),
            RouteAccess("GET /v1/app-link-settings/{branch_key}", Caller.anyKey, { _, key in "/v1/app-link-settings/" + key }),
            RouteAccess("POST /v1/qr-code", Caller.anyKey) { _ in ["data": [:]] },
            RouteAccess("POST /v2/qr-code", Caller.anyKey) { _ in ["data": [:]] },
            RouteAccess("POST /c/{click_id}", Caller.keys, { orchard, _ in "/c/" + orchard.click }) { _ in ["phone": "+15550100001"]
            },
        ]
        + [
            "v1/event", "v1/pageview", "v1/dismiss", "v1/register-view", "v1/content-events", "v2/event/standard",
            "v2/event/custom",
        ]
        .map { call in RouteAccess("POST /" + call, Caller.anyKey) { _ in ["name": "picked", "event": "picked"] } }

    // MARK: Credits

    private static let credits: [RouteAccess] = [
        RouteAccess("GET /v1/credits", Caller.secrets.union([.liveKey]), { _, _ in "/v1/credits?identity=ann" }),
        RouteAccess("POST /v1/credits", Caller.anySecret) { _ in ["identity": "ann", "amount": 5] },
        RouteAccess("GET /v1/credithistory", Caller.secrets.union([.liveKey]), { _, _ in "/v1/credithistory?identity=ann" }),
        RouteAccess("POST /v1/credithistory", Caller.secrets.union([.liveKey])) { _ in ["identity": "ann"] },
        RouteAccess("POST /v1/redeem", Caller.secrets.union([.liveKey])) {
            ["identity_id": .string($0.identity), "device_fingerprint_id": .string($0.device), "amount": 1]
        },
        RouteAccess("POST /v1/reconcile", Caller.secrets) { _ in ["identity": "ann", "amount": 1] },
        RouteAccess("POST /v1/eventresponse", Caller.anySecret) { _ in
            ["type": "credit", "event": "picked", "calculation_type": 0, "location": 0, "metadata": ["amount": 1]]
        },
        RouteAccess("POST /v1/referralcode", Caller.anySecret) { _ in
            ["identity": "ann", "amount": 5, "calculation_type": 0, "location": 2]
        },
        // Users of other apps cannot apply a code of Orchard's, whether or not it exists.
        RouteAccess(
            "POST /v1/referralcode/{code}", Caller.keys.subtracting(Caller.wrongSecrets),
            { orchard, _ in "/v1/referralcode/" + orchard.code }
        ) { ["identity_id": .string($0.user)] },
        RouteAccess("POST /v1/referralcode/{code}", [], { _, _ in "/v1/referralcode/PEARS" }) {
            ["identity_id": .string($0.user)]
        },
        RouteAccess(
            "POST /v1/applycode/{code}", Caller.keys.subtracting(Caller.wrongSecrets),
            { orchard, _ in "/v1/applycode/" + orchard.code }
        ) { ["identity_id": .string($0.user)] },
        RouteAccess("POST /v1/applycode/{code}", [], { _, _ in "/v1/applycode/PEARS" }) { ["identity_id": .string($0.user)] },
    ]

    // MARK: With the secret

    private static let secret: [RouteAccess] = [
        RouteAccess("GET /v1/app/{branch_key}", Caller.anySecret, { _, key in "/v1/app/" + key }),
        // The test side cannot change settings that it shares with the live side.
        RouteAccess(
            "PUT /v1/app/{branch_key}", Caller.anySecret.subtracting([.testKeyWithTestSecret]), { _, key in "/v1/app/" + key }
        ) { _ in ["app_name": "Meadow"] },
        // The key in the path is authoritative, whatever key the caller sends.
        RouteAccess(
            "GET /v1/app/{branch_key}", Caller.secrets.union([.endedKey, .testKeyWithLiveSecret]),
            { orchard, _ in "/v1/app/" + orchard.key }),
        RouteAccess(
            "PUT /v1/app/{branch_key}", Caller.secrets.union([.endedKey, .testKeyWithLiveSecret]),
            { orchard, _ in "/v1/app/" + orchard.key }
        ) { _ in ["app_name": "Orchard"] },
        RouteAccess("POST /v3/export", Caller.anySecret) { _ in ["export_date": "2027-01-14"] },
        RouteAccess(
            "GET /v2/export/{branch_key}", Caller.anySecret, { _, key in "/v2/export/\(key)?export_date=2027-01-14" }),
        RouteAccess("POST /v1/query/analytics", Caller.anySecret) { _ in
            [
                "start_date": "2027-01-14", "end_date": "2027-01-15", "data_source": "eo_click", "dimensions": ["name"],
                "aggregation": "total_count",
            ]
        },
    ]

    // MARK: With a token

    private static let operators: [RouteAccess] =
        [
            RouteAccess("GET /api/v1/events/stream", tokens, named("/api/v1/events/stream", "&since=0&limit=1")),
            RouteAccess("POST /v2/logs", tokens) { logs.merging($0.named) },
            RouteAccess("GET /v2/logs/{handle}", tokens, { app, _ in "/v2/logs/\(app.exportJob)?app_id=\(app.app.app.id)" }),
            RouteAccess("POST /v2/analytics", tokens) { aggregate.merging($0.named) },
            RouteAccess("GET /v2/analytics/{job_id}", tokens, { app, _ in "/v2/analytics/\(app.report)?app_id=\(app.app.app.id)" }),
            RouteAccess("POST /v1/branch_aggregate/async/analytics", tokens) { crossEvents.merging($0.named) },
            RouteAccess("POST /v2/data/ready", tokens) {
                ["app_id": .string("\($0.app.app.id)"), "date": "2027-01-14 00:00:00"]
            },
            RouteAccess(
                "GET /v1/branch_aggregate/async/status/{job_id}", tokens,
                { app, _ in "/v1/branch_aggregate/async/status/\(app.crossEvents)?app_id=\(app.app.app.id)" }),
            RouteAccess("POST /v1/gdpr", tokens) { access.merging($0.named) },
            RouteAccess("POST /v1/gdpr", [.admin]) { access.merging($0.named).merging(["subject_request_type": "erasure"]) },
            RouteAccess("POST /v1/gdpr/status", tokens) { ["request_id": .string($0.personRequest)] },
        ]
        + [
            ("counts", "&from=2027-01-14&to=2027-01-15"), ("top", "&by=channel&from=2027-01-14&to=2027-01-15"),
            ("funnel", "&from=2027-01-14&to=2027-01-15"), ("cohort", "&from=2027-01-14&to=2027-01-15"),
            ("attribution", "&from=2027-01-14&to=2027-01-15"), ("ltv", "&by=channel&from=2027-01-14&to=2027-01-15"),
        ]
        .map { name, query in
            RouteAccess("GET /api/v1/analytics/" + name, tokens, named("/api/v1/analytics/" + name, query))
        }

    private static func named(_ path: String, _ query: String) -> @Sendable (AuthorizedApp, String) -> String {
        { orchard, _ in "\(path)?app=\(orchard.app.app.id)\(query)" }
    }

    static let logs: JSONObject = [
        "report_type": "eo_click", "start_date": "2027-01-14T00:00:00Z", "end_date": "2027-01-15T00:00:00Z", "limit": 10,
        "fields": ["id"],
    ]
    static let aggregate: JSONObject = [
        "start_date": "2027-01-14", "end_date": "2027-01-15", "data_source": "eo_click", "dimensions": ["name"],
    ]
    static let crossEvents: JSONObject = [
        "start_date": "2027-01-14", "end_date": "2027-01-15",
        "aggregations": [["field_name": "total_count", "data_source": "eo_click"]],
    ]
    static let access: JSONObject = [
        "subject_request_type": "access", "subject_identities": [["identity_type": "DEVELOPER_ID", "identity_value": "ann"]],
    ]

    // MARK: With a signed URL

    /// The signed URL is sufficient; one that this server did not sign is refused.
    private static let files: [RouteAccess] = [
        RouteAccess("GET /api/v1/exports/{file}", Caller.all, { app, _ in app.file }),
        RouteAccess(
            "GET /api/v1/exports/{file}", [],
            { orchard, _ in
                "/api/v1/exports/\(orchard.app.app.id)-2027-01-14-eo_click-v2-\(String(repeating: "a", count: 64))-Abc123.csv.gz?expires=9999999999999"
            }),
        RouteAccess(
            "GET /api/v1/analytics/reports/{file}", [],
            { _, _ in
                "/api/v1/analytics/reports/7e1c27a0-\(String(repeating: "a", count: 64)).csv?expires=9999999999999"
            }),
    ]
}
