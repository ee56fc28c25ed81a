import Dashboard
import HTTPTypes
import Linden
import LindenKernel
import LindenLedger
import LindenReporting
import LindenServices
import LindenTesting
import Testing

/// The ids of sessions, devices and identities that operators see, which are no credentials.
@Suite struct ReferenceTests {
    /// A named and an anonymous user, with what the SDK keeps of each.
    private struct Scene {
        let exchange: Exchange
        let app: CreatedApp
        let ann: JSONObject
        let anonymous: JSONObject
        let objects: DashboardObjects

        var key: String { app.live.key.branchKey }
        var id: String { "\(app.app.id)" }

        /// The credentials of both users: what their SDKs were answered.
        var credentials: [String] {
            [ann, anonymous].flatMap { user in
                ["session_id", "identity_id", "device_fingerprint_id"].compactMap { user[$0]?.string }
            }
        }

        static func run(_ body: @escaping @Sendable (Scene) async throws -> Void) async throws {
            try await Exchange.run { exchange in
                let app = try await exchange.installation.createApp(settings: Installation.settings)
                let key = app.live.key.branchKey
                let objects = try await DashboardObjects(exchange, app)
                // Visits below are made without the host of the domain.
                try await exchange.services.domains.remove(objects.domain, from: app.live.key.scope, mayShareHost: true)
                let (ann, link) = try await exchange.friend(named: "ann", of: key, at: "192.0.2.1")
                // A second install at an address with a reward, which is held.
                let anonymous = try await exchange.installBy(link, key, at: "192.0.2.9")
                for user in [ann, anonymous] {
                    let tokens = user.filter { name, _ in ["session_id", "identity_id", "device_fingerprint_id"].contains(name) }
                    for (path, body) in [
                        ("/v1/event", tokens.merging(["event": "play", "metadata": ["variety": "Cox"]])),
                        ("/v2/event/standard", ["name": "PURCHASE", "user_data": .object(tokens)]),
                    ] as [(String, JSONObject)] {
                        let answer = try await exchange.post(path, .object(body.merging(["branch_key": .string(key)])))
                        #expect(answer.status == 200, "\(answer.body)")
                    }
                }
                _ = try await exchange.services.domains.add(objects.domain, to: app.live.key.scope)
                exchange.installation.clock.advance(by: .seconds(2))
                try await body(
                    Scene(exchange: exchange, app: app, ann: ann, anonymous: anonymous, objects: objects))
            }
        }

        func read(_ path: String) async throws -> Exchange.Answer {
            let token = try await exchange.token(.analyst, for: app)
            return try await exchange.manage(.get, path + (path.contains("?") ? "&" : "?") + "app=\(id)", token: token)
        }

        func session(_ path: String) async throws -> Exchange.Answer {
            let token = try await exchange.token(.analyst, for: app)
            return try await exchange.manage(.get, "/api/v1/sessions/" + path, token: token)
        }

        /// The references of all sessions, newest first.
        func sessions() async throws -> [String] {
            try #require(try await read("/api/v1/sessions").object["sessions"]?.array)
                .compactMap { $0.object?["session_id"]?.string }
        }

        func expectNoCredential(in text: String, _ place: String) {
            for credential in credentials { #expect(!text.contains(credential), "\(place)") }
        }
    }

    @Test func theManagementAPIShowsNoCredential() async throws {
        try await Scene.run { scene in
            let held = try await scene.read("/api/v1/rewards/held")
            #expect(held.body.contains(#""identity":"identity_"#))
            let identity = try await scene.read("/api/v1/identities/ann")
            let reference = try #require(identity.object["identity_id"]?.string)
            #expect(reference.wholeMatch(of: /identity_[0-9]{18}/) != nil)
            #expect(identity.body.contains(#""device_id":"device_"#))
            var answers = [held, identity, try await scene.read("/api/v1/sessions?limit=1")]
            #expect(answers[2].object["next_cursor"]?.string?.hasPrefix("session_") == true)
            for path in [
                "sessions", "clicks", "links", "credits?identity=ann", "credits/history?identity=ann", "rewards", "doctor",
                "analytics/attribution?from=2027-01-14&to=2027-01-15",
            ] {
                answers.append(try await scene.read("/api/v1/" + path))
            }
            for session in try await scene.sessions() {
                answers += [try await scene.session(session), try await scene.session(session + "/explanation")]
            }
            for answer in answers {
                #expect(answer.status == 200, "\(answer.body)")
                scene.expectNoCredential(in: answer.body, answer.body)
            }
        }
    }

    @Test func theDashboardShowsNoCredential() async throws {
        try await Scene.run { scene in
            let browser = try await DashboardBrowser(scene.exchange, as: .admin)
            let path = "/dashboard/apps/\(scene.id)"
            var pages = try await scene.sessions().map { "\(path)/sessions/\($0)" }
            #expect(pages.count >= 5)
            let identity = try #require(try await scene.read("/api/v1/identities/ann").object["identity_id"]?.string)
            for page in ["sessions", "held-rewards", "links", "exports"] { pages.append("\(path)/\(page)") }
            for page in ["identities", "identities/erase", "credits"] {
                pages += ["\(path)/\(page)?identity=ann", "\(path)/\(page)?identity=\(identity)"]
            }
            pages.append(scene.objects.path(of: "\(path)/privacy/{request}"))
            for page in pages {
                let answer = try await browser.get(page)
                #expect(answer.status == 200, "\(page)")
                scene.expectNoCredential(in: answer.body, page)
            }
        }
    }

    @Test func toolsOfLanguageModelsShowNoCredential() async throws {
        try await Scene.run { scene in
            let token = try await scene.exchange.token(.analyst, for: scene.app)
            let list = try await scene.exchange.tool("list_sessions", ["app": .string(scene.id)], token: token)
            let session = try #require(list.json["sessions"]?.array?.first?.object?["session_id"])
            let explanation = try await scene.exchange.tool("explain_session", ["session_id": session], token: token)
            for result in [list, explanation] {
                #expect(!result.isError, "\(result.text)")
                scene.expectNoCredential(in: result.text, result.text)
            }
        }
    }

    @Test(arguments: ExportTopic.allCases) func anExportHasNoCredential(topic: ExportTopic) async throws {
        try await Scene.run { scene in
            var request = ExportRequest(
                scope: scene.app.live.key.scope, topic: topic,
                range: try ExportRange(from: nil, to: nil, now: scene.exchange.installation.clock.now))
            request.columns = ExportColumn.known(of: topic)
            var cursor = try await scene.exchange.services.exports.begin(request, page: ExportPageLimit())
            var bytes: [UInt8] = []
            while let more = try await cursor.next() { bytes += more }
            let text = String(decoding: bytes, as: UTF8.self)
            scene.expectNoCredential(in: text, text)
            if topic == .install {
                // The number of the reference, so that a row leads to its explanation.
                let session = try #require(try await scene.sessions().first)
                #expect(text.contains(session.replacing("session_", with: "")))
            }
        }
    }

    @Test func aCopyOfPersonalDataHasNoCredential() async throws {
        try await Scene.run { scene in
            for user in [scene.ann, scene.anonymous] {
                let identity = try await scene.exchange.services.people.identity(
                    try #require(user["identity_id"]?.string), in: scene.app.live.key.scope)
                var export = scene.exchange.services.subjectRequests.export(identity, as: .ndjson)
                var bytes: [UInt8] = []
                while let more = try await export.next() { bytes += more }
                let text = String(decoding: bytes, as: UTF8.self)
                #expect(text.contains(scene.exchange.services.publicIDs.reference(to: identity.id)))
                #expect(text.contains(#""session_id":"session_"#) && text.contains(#""device_id":"device_"#))
                scene.expectNoCredential(in: text, text)
            }
        }
    }

    // MARK: Looking up

    @Test func aSessionAndAUserAreFoundByReferenceAndByCredential() async throws {
        try await Scene.run { scene in
            let ids = scene.exchange.services.publicIDs
            let token = try #require(scene.ann["session_id"]?.string)
            let session = try #require(ids.id(for: token, of: Session.self))
            let identity = try #require(ids.id(for: scene.ann["identity_id"]?.string ?? "", of: Identity.self))
            for name in [token, ids.reference(to: session)] {
                for path in [name, name + "/explanation"] {
                    #expect(try await scene.session(path).object["session_id"]?.string == ids.reference(to: session))
                }
            }
            for name in ["ann", ids.reference(to: identity), ids.string(for: identity)] {
                let found = try await scene.read("/api/v1/identities/\(name)")
                #expect(found.object["identity_id"]?.string == ids.reference(to: identity), "\(found.body)")
                #expect(try await scene.read("/api/v1/credits?identity=\(name)").status == 200)
            }
            // A reference of another kind is none.
            for name in [ids.reference(to: identity), ids.reference(to: session).replacing("session_", with: "")] {
                #expect(try await scene.session(name).status == 404)
            }
        }
    }

    @Test func aPrivacyRequestNamesUsersAndDevicesByReference() async throws {
        try await Scene.run { scene in
            let ids = scene.exchange.services.publicIDs
            let identity: Identity.ID = try #require(ids.id(for: scene.ann["identity_id"]?.string ?? ""))
            let device: Device.ID = try #require(ids.id(for: scene.anonymous["device_fingerprint_id"]?.string ?? ""))
            let subjects = [
                DataSubject(kind: .user, value: ids.reference(to: identity)),
                DataSubject(kind: .device, value: ids.reference(to: device)),
            ]
            let requests = scene.exchange.services.subjectRequests
            // An earlier request by the credential keeps it no longer than the erasure.
            _ = try await requests.ask(
                .access, about: [DataSubject(kind: .user, value: ids.string(for: identity))], in: scene.app.live.key.scope)
            _ = try await requests.ask(.erasure, about: subjects, in: scene.app.live.key.scope)
            try await requests.runAll()
            for user in [scene.ann, scene.anonymous] {
                let token = try #require(user["identity_id"]?.string)
                #expect(try await scene.read("/api/v1/identities/\(token)").status == 404)
            }
            #expect(try await scene.exchange.rows("SELECT COUNT(*) FROM subject_requests WHERE subjects LIKE '%_ID%'") == 1)
            let objects = try await requests.request(scene.objects.request)
            #expect(objects.subjects.count == 1)
        }
    }

    @Test func noCallOfAnSDKAcceptsAReference() async throws {
        try await Scene.run { scene in
            let ids = scene.exchange.services.publicIDs
            let session: Session.ID = try #require(ids.id(for: scene.ann["session_id"]?.string ?? ""))
            let device: Device.ID = try #require(ids.id(for: scene.ann["device_fingerprint_id"]?.string ?? ""))
            let identity: Identity.ID = try #require(ids.id(for: scene.ann["identity_id"]?.string ?? ""))
            for (session, device, identity) in [
                (ids.reference(to: session), ids.reference(to: device), ids.reference(to: identity)),
                (ids.referenceNumber(to: session), ids.referenceNumber(to: device), ids.referenceNumber(to: identity)),
            ] {
                let tokens: JSONObject = [
                    "branch_key": .string(scene.key), "session_id": .string(session), "device_fingerprint_id": .string(device),
                    "identity_id": .string(identity),
                ]
                for (path, fields) in [
                    ("/v1/logout", [:]), ("/v1/profile", ["identity": "mallory"]), ("/v1/open", ["os": "iOS"]),
                ] as [(String, JSONObject)] {
                    let answer = try await scene.exchange.post(path, .object(tokens.merging(fields)))
                    for name in ["session_id", "identity_id", "device_fingerprint_id"] {
                        #expect(answer.object[name] != scene.ann[name], "\(path) \(answer.body)")
                    }
                }
                #expect(try await scene.exchange.post("/v1/redeem", .object(tokens.merging(["amount": 1]))).status == 400)
                #expect(try await scene.exchange.get("/v1/credits/\(identity)").status == 400)
            }
            let opened = try await scene.exchange.post(
                "/v1/open", ["branch_key": .string(scene.key), "device_fingerprint_id": scene.ann["device_fingerprint_id"]!])
            #expect(opened.object["identity"] == "ann")
        }
    }
}
