import LinkRouting

extension Transaction {
    /// Gathers the evidence, decides and claims the click. If another device claimed it in between, decides again. A click identified by
    /// its id can be used any number of times, one that named the device only once. A page claims no click and consumes no link: the app
    /// may be launched after it.
    func attribute(_ beginning: SessionContext) throws -> (Evidence, AttributionDecision) {
        let start = beginning.start
        let device = start.isTrackingDisabled ? nil : try knownDevice(start)?.id
        while true {
            let evidence = try evidence(
                for: start, on: device, link: beginning.opened, continuing: beginning.openedContinuesClick,
                address: beginning.address,
                addressClass: beginning.addressClass, at: now)
            let decision = AttributionPolicy.decide(evidence, beginning.rules)
            guard let match = decision.match else { return (evidence, decision) }
            if !start.isTrackingDisabled, start.caller != .browser, let id = match.click,
                let fingerprint = try click(id)?.fingerprint
            {
                let isFirst = try claim(id, fingerprint)
                if !isFirst, !match.isGuaranteed { continue }
            }
            if !start.isTrackingDisabled, decision.matcher == DeviceIDMatch.name, let id = match.click,
                let key = start.description.advertisingID, try !claim(id, namingDevice: key.lowercased(), in: start.scope)
            {
                continue
            }
            if try start.caller == .browser || take(match, isTaken: beginning.openedContinuesClick) { return (evidence, decision) }
        }
    }

    /// Consumes a one-time link, and takes a click of a link that opened the app directly. Returns false if it is consumed or has no clicks
    /// left.
    private func take(_ match: Match, isTaken: Bool) throws -> Bool {
        guard match.link != .long, let link = try linkStatus(match.link), link.hasUsageLimit else { return true }
        if match.click == nil, !isTaken, link.hasClickLimit, try !takeClick(of: match.link) { return false }
        return try !link.isOneTimeUse || useUp(match.link, at: now)
    }
}
