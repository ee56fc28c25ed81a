extension Reader {
    /// Looks up whatever may tie an opening to a click of its app. Only indexed look-ups, and none that the matchers will not ask for.
    func evidence(for start: SessionStart, link opened: Link?, at time: Timestamp) throws -> Evidence {
        var evidence = Evidence()
        if let id = start.opening.click {
            if let click = try click(id), click.scope == start.scope, try link(of: click) != nil {
                evidence.linkClick = .found(click: click.id, link: click.link)
                return evidence
            }
            evidence.linkClick = .unknown
        } else if start.opening.hasUnknownClick {
            evidence.linkClick = .unknown
        }
        if let opened {
            evidence.linkURL = .found(link: opened.id)
            return evidence
        }
        if start.opening.url != nil { evidence.linkURL = .foreign }
        if start.mayAskBrowser,
            let id = try strongMatch(start.deviceKeys, from: start.address.matchKey, in: start.scope, at: time)?.click,
            let click = try click(id)
        {
            evidence.browserClick = try link(of: click).map { .init(click: id, link: $0.id) }
        }
        if let fingerprint = start.fingerprint {
            let open = try openClicks(fingerprint, at: time, limit: FingerprintMatch.candidates)
            evidence.similarClicks = try open.filter { try isAlive($0.link) }.map { click in
                .init(click: click.click, link: click.link, content: try content(of: click))
            }
        }
        return evidence
    }

    /// A deleted link answers like an unknown one.
    private func isAlive(_ id: Link.ID) throws -> Bool {
        try id == .long || link(id).map { $0.deletedAt == nil } ?? false
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
