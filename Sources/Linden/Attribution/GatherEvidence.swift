import LindenKernel
import LinkRouting

/// A view of what may link an app launch to a click: clicks, links, browsers, addresses and device profiles.
package protocol EvidenceReader: ClickReader, LinkReader, BrowserReader, AddressReader, DeviceProfileReader {}

extension EvidenceReader {
    /// Gathers everything that may link an app launch to a click of its app. Indexed look-ups only, and none that the matchers will not
    /// use.
    ///
    /// - Parameters:
    ///   - device: the device, if it is known.
    ///   - opened: the link that opened the app.
    ///   - continuing: whether the launch continues a recent click of that link.
    ///   - address: the stored forms of the address that the launch comes from.
    ///   - addressClass: the class of that address.
    ///   - reported: the report of the browser beside the app.
    func evidence(
        for start: SessionStart, on device: Device.ID?, link opened: Link?, continuing: Bool, address: StoredAddress,
        addressClass: AddressClass, reported: StrongMatch?, at time: Timestamp
    ) throws -> Evidence {
        var evidence = Evidence()
        let kind = start.attributedKind(isKnown: device != nil)
        evidence.mayBeReferred = start.isReferrable != false
        if let id = start.opening.click {
            evidence.linkClick = try linkClick(id, start, kind, at: time)
            if case .unknown = evidence.linkClick {} else { return evidence }
        } else if start.opening.hasUnknownClick {
            evidence.linkClick = .unknown
        }
        if let opened {
            evidence.linkURL = try isOpen(opened, continuing: continuing, start, at: time) ? .found(link: opened.id) : .ended
            return evidence
        }
        if start.opening.url != nil { evidence.linkURL = .foreign }
        if let id = reported?.click { evidence.browserClick = try namedClick(id, start, kind, at: time) }
        if start.caller != .browser, !start.isTrackingDisabled, let key = start.description.advertisingID,
            let id = try click(namingDevice: key.lowercased(), in: start.scope)
        {
            evidence.deviceClick = try namedClick(id, start, kind, at: time)
        }
        evidence.searchAd = start.searchAd.map { Evidence.SearchAdAttribution($0, start.app, kind, at: time) }
        evidence.isAddressKept = address.isAllowed
        evidence.isFingerprintAllowed = start.app.app.configuration.matchesFingerprints
        if address.isAllowed, evidence.isFingerprintAllowed {
            evidence.fingerprintSignals = try fingerprintSignals(of: start, on: device, address, addressClass, at: time)
        }
        return evidence
    }

    private func linkClick(
        _ id: Click.ID, _ start: SessionStart, _ kind: Session.Kind, at time: Timestamp
    ) throws -> Evidence.LinkClick {
        guard let click = try click(id), click.scope == start.scope, let named = try named(click, start, kind, at: time) else {
            return .unknown
        }
        return try isUsedUp(click.link) ? .usedUp : .found(named)
    }

    /// Returns the deterministic click; nil if its link is gone or consumed.
    private func namedClick(
        _ id: Click.ID, _ start: SessionStart, _ kind: Session.Kind, at time: Timestamp
    ) throws -> Evidence.DeterministicClick? {
        guard let click = try click(id), try !isUsedUp(click.link) else { return nil }
        return try named(click, start, kind, at: time)
    }

    /// Returns nil if the click's link is gone.
    private func named(
        _ click: Click, _ start: SessionStart, _ kind: Session.Kind, at time: Timestamp
    ) throws -> Evidence.DeterministicClick? {
        try windows(of: click, app: start.app.app.configuration).map { windows in
            Evidence.DeterministicClick(
                click: click.id, link: click.link, age: click.id.age(at: time), window: windows.seconds(for: kind))
        }
    }

    private func isUsedUp(_ id: Link.ID) throws -> Bool {
        try id != .long && linkStatus(id)?.isUsedUp == true
    }

    /// Returns whether a launch by the link itself, which counts as a click of it, may have its data.
    private func isOpen(_ link: Link, continuing: Bool, _ start: SessionStart, at time: Timestamp) throws -> Bool {
        try !link.hasExpired(at: time, in: start.app.app.configuration) && availability(of: link, isTaken: continuing) == .available
    }
}

extension LinkReader {
    /// Returns the attribution windows of a click: the link's own, overridden by the query that was appended to it. Nil if the link is gone.
    /// Every event needs them, so neither the data of a stored link nor the query of a long one is read.
    package func windows(of click: Click, app: AppConfiguration) throws -> AttributionWindows? {
        guard click.link != .long else {
            return AttributionWindows(click.longLink?.windows ?? .unset, appended: nil, app: app)
        }
        guard let status = try linkStatus(click.link), !status.isDeleted else { return nil }
        return AttributionWindows(status.windows, appended: click.query, app: app)
    }
}

extension Identifier {
    /// Returns the whole seconds since the id was created.
    func age(at now: Timestamp) -> Int64 { max(0, (now.milliseconds - time.milliseconds) / 1000) }
}

extension Evidence.SearchAdAttribution {
    package init(_ ad: SearchAd, _ app: AppContext, _ kind: Session.Kind, at time: Timestamp) {
        self.init(
            labels: ad.labels, counts: ad.counts(in: app.scope.mode),
            age: ad.clickedAt.map { max(0, (time.milliseconds - $0.milliseconds) / 1000) },
            window: AttributionWindows(app: app.app.configuration).seconds(for: kind))
    }
}

extension SessionStart {
    /// Returns the session kind whose attribution window applies: that of installs for any new installation, even on a known device, and
    /// for a device that a server reports first; else that of opens.
    fileprivate func attributedKind(isKnown: Bool) -> Session.Kind {
        caller == .newInstallation || caller == .server && !isKnown ? .install : .open
    }
}
