import LinkRouting

/// The outcome of a visit.
struct VisitOutcome: Sendable {
    var destination: Destination
    /// The destination if the one-time link is consumed.
    var onceConsumed: Destination?
    var hasEnded = false
    var isUsed = false
    var click: Click?

    init(destination: Destination) {
        self.destination = destination
    }

    mutating func apply(_ availability: LinkAvailability) {
        switch availability {
        case .available: break
        case .consumed:
            isUsed = true
            destination = onceConsumed ?? destination
        case .expired: hasEnded = true
        }
    }
}
