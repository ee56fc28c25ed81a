import Linden
import LindenAPI
import LindenKernel
import LindenLedger
import LindenReporting
import LindenServices
import LindenTesting
import Testing

/// The JSON that the command line and the HTTP API share, byte for byte.
@Suite struct ViewTests {
    @Test func aLinkInAListHasItsAddressAndLabels() async throws {
        try await Installation.run { installation in
            let app = try await installation.createApp()
            let context = try await installation.services.apps.context(app.live.key.branchKey)
            let link = try await installation.services.links.create(
                NewLink(alias: "pears", labels: Labels(channel: "mail", campaign: "spring"), data: [:]), for: context)
            let url = installation.services.links.url(of: link)
            let text = JSON.object(link.view(url: url)).text
            let expected =
                #"{"url":"\#(url)","id":"\#(link.id.rawValue)","channel":"mail","feature":null,"campaign":"spring","#
                + #""folder":null,"archived":false,"created_at":"\#(link.createdAt.iso8601)"}"#
            #expect(text == expected)
        }
    }

    @Test func aDetailedLinkBeginsWithItsAppAndEndsWithItsTime() async throws {
        try await Installation.run { installation in
            let app = try await installation.createApp()
            let context = try await installation.services.apps.context(app.live.key.branchKey)
            let link = try await installation.services.links.create(NewLink(alias: "pears", data: ["variety": "Cox"]), for: context)
            let view = link.detailedView(
                url: "https://go.example.com/pears", app: context, privacy: installation.services.addresses.privacy)
            #expect(Array(view.keys.prefix(4)) == ["url", "id", "app_id", "mode"])
            #expect(view["data"]?.object?["variety"] == "Cox")
            #expect(view["fingerprint_window"] == 7200)
            #expect(view["fingerprint_window_capped"] == nil)
            #expect(view.keys.last == "created_at")
        }
    }

    @Test func aCreditEntryNamesItsTransactionAndCause() throws {
        var cause = CreditCause(.operator)
        cause.eventName = "thanks"
        let transaction = CreditTransaction(
            id: CreditTransaction.ID(rawValue: 10), scope: Scope(app: App.ID(rawValue: 1), mode: .live), kind: .grant, cause: cause)
        let record = CreditRecord(
            transaction: transaction, bucket: try Bucket("gold"), amount: 5, balanceAfter: 7, referrer: nil, referree: nil,
            metadata: [:])
        let text = JSON.object(record.view).text
        let expected =
            #"{"transaction":"10","date":"\#(transaction.id.time.iso8601)","kind":"grant","bucket":"gold","amount":5,"balance":7,"#
            + #""source":"operator","event":"thanks","rule":null,"referrer":null,"referree":null,"reverses":null}"#
        #expect(text == expected)
    }

    @Test func aRewardRuleWithoutLimitsShowsThemAsNull() throws {
        let rule = RewardRule(
            id: RewardRule.ID(rawValue: 3), scope: Scope(app: App.ID(rawValue: 1), mode: .live), event: "install", filter: [:],
            recipient: .both, isFirstOnly: true, amount: try CreditAmount(20), bucket: .standard, caps: RewardCaps(),
            daysValid: nil,
            isPaused: false)
        let text = JSON.object(rule.view).text
        let expected =
            #"{"id":"3","event":"install","filter":{},"reward":"both","amount":20,"bucket":"default","first_only":true,"#
            + #""cap_per_day":null,"cap_per_user":null,"days_valid":null,"paused":false}"#
        #expect(text == expected)
    }

    @Test func anOrganicSessionIsExplainedWithoutLinkAndRules() throws {
        let session = Session(
            id: Session.ID(rawValue: 123_456_789_012_345_678), scope: Scope(app: App.ID(rawValue: 1), mode: .test),
            device: Device.ID(rawValue: 2),
            identity: Identity.ID(rawValue: 3), kind: .open, link: nil, click: nil, data: [:],
            explanation: StoredDecision(outcome: .organic, reason: "There was no click."))
        let ids = PublicIDs(key: InstallationKey(high: 1, low: 2))
        let baseURL = try BaseURL("https://go.example.com")
        let explanation = SessionExplanation(session: session, link: nil, comparedLinks: [:])
        let text = JSON.object(explanation.view(ids, baseURL)).text
        let expected =
            #"{"session_id":"\#(ids.reference(to: session.id))","kind":"open","started_at":"\#(session.id.time.iso8601)","#
            + #""app_id":"1","mode":"test","outcome":"organic","matcher":null,"link_id":null,"click_id":null,"attributed":false,"#
            + #""match_guaranteed":null,"reason":"There was no click.","candidates":[]}"#
        #expect(text == expected)
    }

    @Test func revenueByLinkIsShownWithPeriodAddressAndTitle() throws {
        let start = Timestamp(milliseconds: 1_800_000_000_000)
        let day = try AnalyticsSpan(start: start, end: start + .seconds(86_400))
        let query = try AnalyticsQuery(
            scope: Scope(app: App.ID(rawValue: 1), mode: .live), topics: [.commerceEvent], span: day, dimensions: [.link],
            aggregation: .revenue)
        let reply = AnalyticsReply(
            rows: .counts(
                [
                    AnalyticsAnswer.Row(period: day, values: ["7"], figure: 12_500_000),
                    AnalyticsAnswer.Row(period: day, values: [""], figure: 0),
                ], query),
            links: ["7": LinkCaption(url: "https://go.example.com/pears", title: "Pears")], totalRows: 2,
            missing: MissingRows(erased: 3))
        let text = String(decoding: try reply.json(upTo: 1000), as: UTF8.self)
        let expected =
            #"{"results":[{"timestamp":"\#(day.startText)","link":"7","revenue":12.5,"url":"https://go.example.com/pears","#
            + #""title":"Pears"},{"timestamp":"\#(day.startText)","link":null,"revenue":0,"url":null,"title":null}],"#
            + #""total_count":2,"rows_erased":3}"#
        #expect(text == expected)
        let failure = #expect(throws: Failure.self) { try reply.json(upTo: 200) }
        #expect(failure?.message.contains("longer than 200 bytes") == true)
    }

    @Test func aFunnelWithoutClicksHasNoRates() {
        let funnel = Funnel(value: "", clicks: 0, installs: 0, converted: 0, medianMillisecondsToInstall: nil)
        let rows = AnalyticsReply(rows: .funnels([funnel], by: .channel)).rowViews()
        let expected =
            #"{"channel":null,"clicks":0,"installs":0,"converted":0,"install_rate":null,"conversion_rate":null,"#
            + #""median_seconds_to_install":null}"#
        #expect(rows.map { JSON.object($0).text } == [expected])
    }

    @Test func aUserOfTheDashboardHasItsStatusAndOnlyOnceTheAddressForAPassword() async throws {
        try await Installation.run { installation in
            let app = try await installation.createApp().app.id
            let users = installation.services.dashboardUsers
            let (user, secret) = try await users.create(name: "ann", role: .support, app: app)
            let (now, end) = (user.createdAt.iso8601, (user.createdAt + .seconds(7 * 86400)).iso8601)
            let expected =
                #"{"user_id":"\#(user.id)","name":"ann","role":"support","app_id":"\#(app)","status":"invited","#
                + #""second_factor":false,"provider":false,"set_up_expires_at":"\#(end)","created_at":"\#(now)","last_sign_in_at":null,"disabled_at":null"#
            #expect(JSON.object(user.view).text == expected + "}")
            let address = "https://go.example.com/dashboard/set-up/" + secret
            let shownOnce = user.view(settingUpWith: secret, on: installation.services.baseURL)
            #expect(JSON.object(shownOnce).text == expected + #","set_up_url":"\#(address)"}"#)
            let disabled = try await users.disable(user.id).view
            #expect(disabled["status"] == "disabled")
            #expect(disabled["disabled_at"] == .string(now))
            #expect(disabled["set_up_expires_at"] == .null)
        }
    }
}
