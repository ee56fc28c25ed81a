import LindenKernel
import LinkRouting
import Logging

/// Returns the query of a visit as it is recorded in an app's live or test data: nil if there is no room for it.
package typealias RecordedQuery = @Sendable (_ query: String?, _ scope: Scope, _ address: ClientAddress) -> String?

extension ClickService {
    /// Records a visit. A failure to pseudonymize the address is a failure to record.
    func recorded(_ context: VisitContext) async -> Result<VisitOutcome, any Error> {
        do {
            let address = try await addresses.written(context.visit.address, for: window(of: context))
            return .success(try await storage.write(recording(context, address: address)))
        } catch {
            return .failure(error)
        }
    }

    /// Returns the outcome of recording. If the click could not be recorded and the policy is ``ClickFailurePolicy/redirect``, the outcome
    /// has no click: it has no id, so it cannot be mistaken for a recorded one.
    func outcome(of result: Result<VisitOutcome, any Error>, _ context: VisitContext) throws -> VisitOutcome {
        do {
            return try result.get()
        } catch let failure as Failure where failure.code == .unavailable && onFailure == .redirect {
            unrecorded.add("\(failure)")
            for (reason, count) in unrecorded.take() {
                logger.warning(
                    "Clicks could not be recorded; their visitors were redirected.",
                    metadata: ["clicks": "\(count)", "reason": "\(reason)"])
            }
            return context.outcome
        }
    }

    /// The number of clicks since the start whose visitors were redirected without a record.
    package var unrecordedCount: Int64 { unrecorded.total }

    /// Returns how long the click may be matched by its address.
    func window(of context: VisitContext) -> Duration {
        addresses.privacy.limited(context.found.matchWindow(appended: context.visit.query))
    }

    /// Returns a transaction that records a visit and takes one of the link's clicks if their number is limited.
    func recording(_ context: VisitContext, address: String) -> @Sendable (any Transaction) throws -> VisitOutcome {
        let device = context.visit.device
        let window = window(of: context)
        let referrerHost = context.visit.referrerHost
        let addressClass = addressClass(context.visit.address)
        let site = addresses.site(of: context.visit.address)
        let query = recordedQuery(context.visit.query, context.found.link.scope, context.visit.address)
        let link = context.found.link
        let longLink = link.longLinkRecord(withLabels: query != nil)
        let appendedHash = ClickContent.hash(appended: query)
        return { transaction in
            // Visit and link are not copied: they have many texts, each with a reference to count.
            let visitor = context.visitor
            let parameters = context.parameters
            let app = context.found.app
            let isPerson = visitor.robot == nil
            let browser = isPerson ? context.visit.browser : nil
            var outcome = context.outcome
            try context.applyUsageLimit(to: &outcome, isPerson: isPerson, transaction)
            if outcome.hasEnded { return outcome }
            let destination = outcome.destination
            let mayOpenApp = isPerson && destination.canOpenApp
            var click = Click(
                id: try transaction.newID(), link: context.found.link.id, scope: context.found.link.scope, visitor: visitor,
                address: address, addressClass: addressClass, site: site, userAgent: context.visit.userAgent,
                referrer: context.visit.referrer,
                referrerHost: referrerHost, query: query,
                action: Click.Action(destination.action), reason: destination.reason,
                browser: mayOpenApp ? try browser ?? transaction.newID() : browser, via: context.visit.via,
                longLink: longLink)
            if parameters.isWithoutAttribution { click = click.kept(as: parameters) }
            if app.matchesFingerprints {
                let language = parameters.isWithoutRecord ? nil : context.visit.language
                click.makePending(leadingTo: destination, language: language, window: window, appendedHash: appendedHash)
            }
            try transaction.insert(click)
            if mayOpenApp, !parameters.isWithoutRecord, let device {
                let windows = AttributionWindows(parameters, app: app.app.configuration)
                try transaction.insert(
                    click.id, namingDevice: device, in: click.scope,
                    expiresAt: transaction.now + .seconds(windows.longest))
            }
            outcome.click = RecordedClick(id: click.id, browser: click.browser, query: query)
            return outcome
        }
    }

    /// Returns the outcome that a visit would have, without recording it.
    func look(_ context: VisitContext) async throws -> VisitOutcome {
        var outcome = context.outcome
        guard context.found.hasUsageLimit else { return outcome }
        let link = context.found.link
        outcome.apply(try await storage.read { try $0.availability(of: link) })
        return outcome
    }
}

extension VisitContext {
    /// Applies the link's usage limit to an outcome. A person takes one of the link's clicks.
    fileprivate func applyUsageLimit(
        to outcome: inout VisitOutcome, isPerson: Bool, _ transaction: any Transaction
    ) throws {
        guard found.hasUsageLimit else { return }
        outcome.apply(
            try isPerson
                ? transaction.availabilityTakingClick(of: found.link, isTaken: visit.continuesClick)
                : transaction.availability(of: found.link))
    }
}

extension Click {
    /// Returns the click as it is logged if its link asks not to be attributed or recorded. Address and operating system stay, because an
    /// install is given the link's data by them.
    func kept(as parameters: ControlParameters) -> Click {
        guard parameters.isWithoutAttribution else { return self }
        let isRecorded = !parameters.isWithoutRecord
        return Click(
            id: id, link: link, scope: scope,
            visitor: isRecorded
                ? visitor
                : Visitor(platform: visitor.platform, os: visitor.os, osVersion: visitor.osVersion, robot: visitor.robot),
            address: address, addressClass: addressClass, site: site, userAgent: isRecorded ? userAgent : "",
            referrer: isRecorded ? referrer : nil, referrerHost: isRecorded ? referrerHost : nil, query: query, action: action,
            reason: reason, browser: isRecorded ? browser : nil, via: via, isReportable: false,
            longLink: longLink)
    }

    /// Makes the click a pending one, unless it is a robot's, on an OS without apps, or does not lead to the app.
    fileprivate mutating func makePending(
        leadingTo destination: Destination, language: String?, window: Duration, appendedHash: String?
    ) {
        guard visitor.robot == nil, destination.canOpenApp, visitor.os != nil, !address.isEmpty, window > .zero else { return }
        self.language = language
        matchSeconds = window.components.seconds
        self.appendedHash = appendedHash
    }
}
