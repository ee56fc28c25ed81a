import LinkRouting

/// The outcome of a visit.
struct VisitOutcome: Sendable {
    private(set) var decision: RenderedDestination
    var destination: Destination { decision.destination }
    /// The destination if the one-time link is consumed.
    var onceConsumed: Destination?
    var hasEnded = false
    var isUsed = false
    var click: RecordedClick?

    init(_ decision: RenderedDestination) {
        self.decision = decision
    }

    /// Whether the response is a preview of the link, or is one if the link is consumed.
    var mayBePreview: Bool { (onceConsumed ?? destination).action == .preview || destination.action == .preview }

    mutating func apply(_ availability: LinkAvailability) {
        switch availability {
        case .available: break
        case .consumed:
            isUsed = true
            if let onceConsumed { decision = RenderedDestination(onceConsumed) }
        case .expired: hasEnded = true
        }
    }
}

/// What the response needs of a click: the whole click has many texts, which would be copied with the outcome.
struct RecordedClick: Sendable {
    let id: Click.ID
    let browser: Browser.ID?
    let query: String?
}
