extension Reader {
    /// Looks up whatever may tie an opening to a click of its app. Only indexed look-ups, and none that the matchers will not ask for.
    func evidence(for start: SessionStart, link opened: Link?, goingOn: Bool, at time: Timestamp) throws -> Evidence {
        var evidence = Evidence()
        if let id = start.opening.click {
            if let click = try click(id), click.scope == start.scope, let link = try link(of: click) {
                evidence.linkClick = link.isUsedUp ? .usedUp : .found(click: click.id, link: click.link)
                return evidence
            }
            evidence.linkClick = .unknown
        } else if start.opening.hasUnknownClick {
            evidence.linkClick = .unknown
        }
        if let opened {
            evidence.linkURL = try isOpen(opened, goingOn: goingOn, start, at: time) ? .found(link: opened.id) : .ended
            return evidence
        }
        if start.opening.url != nil { evidence.linkURL = .foreign }
        if start.mayAskBrowser,
            let id = try strongMatch(start.deviceKeys, from: start.address.matchKey, in: start.scope, at: time)?.click,
            let click = try click(id)
        {
            evidence.browserClick = try link(of: click).flatMap { $0.isUsedUp ? nil : .init(click: id, link: $0.id) }
        }
        if let fingerprint = start.fingerprint {
            let open = try openClicks(fingerprint, at: time, limit: FingerprintMatch.candidates)
            evidence.similarClicks = try open.filter { try isAlive($0.link) }.map { click in
                .init(click: click.click, link: click.link, content: try content(of: click))
            }
        }
        return evidence
    }

    /// A deleted link answers like an unknown one, and so does one that is used up.
    private func isAlive(_ id: Link.ID) throws -> Bool {
        try id == .long || link(id).map { $0.deletedAt == nil && !$0.isUsedUp } ?? false
    }

    /// Whether an opening by the link itself, which is a click of it, may have its data.
    private func isOpen(_ link: Link, goingOn: Bool, _ start: SessionStart, at time: Timestamp) throws -> Bool {
        try !link.hasExpired(at: time, in: start.app.app.configuration) && standing(of: link, isTaken: goingOn) == .good
    }

    /// What a click would bring into the app, spelled so that equal content is equal text.
    private func content(of open: OpenClick) throws -> String {
        let query = try click(open.click)?.query ?? ""
        return "\(open.link)?\(query)"
    }
}

extension FingerprintMatch {
    /// Enough to see a tie; a busy address must not make an install scan thousands of rows.
    static let candidates = 16
}
