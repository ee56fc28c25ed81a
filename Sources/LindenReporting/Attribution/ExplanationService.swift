import Linden
import LindenKernel

/// Explains why sessions were attributed to their links, or to none.
package struct ExplanationService: Sendable {
    let storage: any ReportingStorage
    private let publicIDs: PublicIDs

    package init(storage: any ReportingStorage, publicIDs: PublicIDs) {
        self.storage = storage
        self.publicIDs = publicIDs
    }

    /// Returns the session that an operator names, see ``PublicIDs/id(named:of:)``. Throws `notFound`.
    package func session(_ text: String) async throws -> Session {
        guard let id: Session.ID = publicIDs.id(named: text), let session = try await storage.read({ try $0.session(id) }) else {
            throw Failure.notFound("There is no session \(text).")
        }
        return session
    }

    /// Returns the session with its link and the links of the clicks that were compared.
    package func explanation(of session: Session) async throws -> SessionExplanation {
        try await storage.read { reader -> SessionExplanation in
            // A session whose link asks not to be attributed has a click but no link.
            let link = try (session.link ?? session.click.flatMap(reader.click)?.link).flatMap(reader.link)
            var comparedLinks: [Link.ID: Link] = [:]
            for compared in session.explanation.candidates {
                let id = compared.candidate.link
                if comparedLinks[id] == nil, let link = try reader.storedLink(id)?.link { comparedLinks[id] = link }
            }
            return SessionExplanation(session: session, link: link, comparedLinks: comparedLinks)
        }
    }
}

/// A session and what is needed to show why it was attributed to its link, or to none.
package struct SessionExplanation: Sendable {
    package let session: Session
    /// The link of the session or, if the link opted out of attribution, of its click. Nil for an organic session.
    package let link: Link?
    /// The links of the compared clicks, as far as they are still stored, without their data.
    package let comparedLinks: [Link.ID: Link]

    package init(session: Session, link: Link?, comparedLinks: [Link.ID: Link]) {
        self.session = session
        self.link = link
        self.comparedLinks = comparedLinks
    }
}

extension Session {
    /// The estimated number of wrong matches per thousand probabilistic matches with this score. Nil for other sessions, including launches
    /// by devices that had the app before, which the estimate does not cover.
    package var estimatedWrongPerThousand: Int? {
        guard kind.isInstall || kind == .reinstall, explanation.matcher == FingerprintMatch.name,
            let version = explanation.ruleVersion,
            let points = explanation.candidates.first(where: { $0.candidate.hasWon })?.candidate.score
        else { return nil }
        return MatchConfidence.wrongPerThousand(points: points, ruleVersion: version)
    }
}

extension Session.Kind {
    package var name: String {
        switch self {
        case .install: "install"
        case .open: "open"
        case .web: "web"
        case .userChange: "user_change"
        case .reinstall: "reinstall"
        case .fullAppConversion: "full_app_conversion"
        }
    }
}
