import LindenKernel

/// The decision about a launch, and what it was made from.
///
/// A reader finds it before the session's transaction: an address may have hundreds of clicks to compare, and other writers would wait
/// meanwhile. The transaction claims the click, so that it leads to one session only.
struct Attribution: Sendable {
    /// The device; nil if it is not known.
    let device: Device.ID?
    /// Whether the browser beside the app has reported itself.
    let isBrowserReported: Bool
    let evidence: Evidence
    let decision: AttributionDecision
    /// The click that matched, with its link; nil if none matched, or a link itself did.
    let clicked: ClickedLink?
}

/// A click and its link.
struct ClickedLink: Sendable {
    let click: Click
    let link: Link
}

/// Ends a session's transaction: another session has claimed the click or consumed the link that its attribution found, or the device
/// has become known. The attribution is then found again.
struct OutdatedAttribution: Error {}

extension EvidenceReader where Self: DeviceReader & IdentityReader & AppContextReader & SnapshotReader {
    /// Gathers the evidence about a launch, and decides.
    func attribution(of context: SessionContext) throws -> Attribution {
        let start = context.start
        let device = start.isTrackingDisabled ? nil : try deviceID(of: start)
        let addresses = context.address.all
        let reported = try start.mayAskBrowser ? strongMatch(start.deviceKeys, from: addresses, in: start.scope, at: now) : nil
        let evidence = try evidence(
            for: start, on: device, link: context.opened, continuing: context.openedContinuesClick, address: context.address,
            addressClass: context.addressClass, reported: reported, at: now)
        let decision = AttributionPolicy.decide(evidence, context.rules)
        let click = try decision.match?.click.flatMap { try self.click($0) }
        return Attribution(
            device: device, isBrowserReported: reported != nil, evidence: evidence, decision: decision,
            clicked: try click.flatMap { click in try link(of: click).map { ClickedLink(click: click, link: $0) } })
    }
}
