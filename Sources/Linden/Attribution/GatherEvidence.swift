extension Reader {
    /// Looks up whatever may tie an opening to a click of its app. Only indexed look-ups.
    func evidence(for start: SessionStart, link: Link?, at time: Timestamp) throws -> Evidence {
        var evidence = Evidence()
        if let id = start.opening.click {
            let click = try click(id).flatMap { $0.scope == start.scope ? $0 : nil }
            evidence.linkClick = click.map { .found(click: $0.id, link: $0.link) } ?? .unknown
        } else if start.opening.hasUnknownClick {
            evidence.linkClick = .unknown
        }
        if let link {
            evidence.linkURL = .found(link: link.id)
        } else if start.opening.url != nil {
            evidence.linkURL = .foreign
        }
        if let fingerprint = start.fingerprint {
            let open = try openClicks(fingerprint, at: time, limit: FingerprintMatch.candidates)
            evidence.similarClicks = try open.map { click in
                .init(click: click.click, link: click.link, content: try content(of: click))
            }
        }
        return evidence
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
