import LinkRouting
import Logging

extension ClickService {
    func recorded(_ arrival: VisitContext, _ visited: VisitOutcome) async throws -> VisitOutcome {
        let result: Result<VisitOutcome, any Error>
        do {
            let address = try await addresses.written(arrival.visit.address, for: window(of: arrival))
            result = .success(try await storage.write(recording(arrival, visited, address: address)))
        } catch {
            result = .failure(error)
        }
        return try outcome(of: result, arrival, visited)
    }

    /// Returns the outcome of recording. If the click could not be recorded and the policy is ``ClickFailurePolicy/redirect``, the outcome
    /// has no click: it has no id, so it cannot be mistaken for a recorded one.
    func outcome(of result: Result<VisitOutcome, any Error>, _ arrival: VisitContext, _ visited: VisitOutcome) throws
        -> VisitOutcome
    {
        do {
            return try result.get()
        } catch let failure as Failure where failure.code == .unavailable && onFailure == .redirect {
            logger.warning(
                "A click could not be recorded; its visitor was redirected.",
                metadata: ["link": "\(arrival.found.link.id)", "reason": "\(failure)"])
            return visited
        }
    }

    /// Returns how long the click may be matched by its address.
    func window(of arrival: VisitContext) -> Duration {
        addresses.privacy.limited(
            arrival.found.link.matchWindow(appended: arrival.visit.query, atMost: arrival.found.app.longestMatch))
    }

    /// Returns a transaction that records a visit and takes one of the link's clicks if their number is limited.
    func recording(
        _ arrival: VisitContext, _ visited: VisitOutcome, address: String
    ) -> @Sendable (any Transaction) throws -> VisitOutcome {
        let (device, window, referrerHost) = (arrival.visit.device, window(of: arrival), arrival.visit.referrerHost)
        let (addressClass, site) = (addressClass(arrival.visit.address), addresses.site(of: arrival.visit.address))
        let query = disk.recordedQuery(arrival.visit.query)
        let appended = arrival.visitor.robot == nil ? ClickContent.appended(query) : nil
        return { transaction in
            let (visit, visitor, parameters) = (arrival.visit, arrival.visitor, arrival.parameters)
            let (link, app) = (arrival.found.link, arrival.found.app)
            let isPerson = visitor.robot == nil
            let browser = isPerson ? visit.browser : nil
            var visited = visited
            if arrival.found.hasUsageLimit {
                visited.apply(
                    try isPerson
                        ? transaction.availabilityTakingClick(of: link, isTaken: visit.continuesClick)
                        : transaction.availability(of: link)
                )
                if visited.hasEnded { return visited }
            }
            let destination = visited.destination
            let mayOpenApp = isPerson && destination.canOpenApp
            let click = Click(
                id: try transaction.newID(), link: link.id, scope: link.scope, visitor: visitor, address: address,
                addressClass: addressClass, site: site, userAgent: visit.userAgent, referrer: visit.referrer,
                referrerHost: referrerHost, query: query,
                action: Click.Action(destination.action), reason: destination.reason,
                browser: mayOpenApp ? try browser ?? transaction.newID() : browser, via: visit.via)
            let kept = click.kept(as: parameters)
            try transaction.insert(kept)
            let language = parameters.isWithoutRecord ? nil : visit.language
            if app.app.configuration.matchesFingerprints,
                let open = PendingClick(
                    kept, leadingTo: destination, language: language, appended: appended, window: window, at: transaction.now)
            {
                try transaction.insert(open)
            }
            if mayOpenApp, !parameters.isWithoutRecord, let device {
                let windows = AttributionWindows(parameters, app: app.app.configuration)
                try transaction.insert(
                    click.id, namingDevice: device, in: click.scope,
                    expiresAt: transaction.now + .seconds(windows.seconds(for: .install)))
            }
            visited.click = kept
            return visited
        }
    }

    /// Returns the outcome that a visit would have, without recording it.
    func look(_ visited: VisitOutcome, _ link: Link) async throws -> VisitOutcome {
        guard link.hasUsageLimit else { return visited }
        var visited = visited
        visited.apply(try await storage.read { try $0.availability(of: link) })
        return visited
    }
}
