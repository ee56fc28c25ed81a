import Linden
import LindenKernel

/// Counts of an app's installs in a time range, by how they were attributed.
package struct AttributionSummary: Sendable, Equatable {
    /// The matcher or refusal that decided an install.
    package enum Way: String, Sendable, CaseIterable {
        case linkClick = "link_click"
        case linkURL = "link_url"
        case browser
        case deviceID = "device_id"
        case searchAd = "search_ad"
        case fingerprint
        case ambiguous
        case tooLate = "too_late"
        case otherDevice = "other_device"
        case unlikely
        /// A refusal whose rules recorded no kind, or a match whose matcher is unknown.
        case refused
        case organic

        package enum Certainty: String, Sendable {
            case deterministic, probabilistic, none
        }

        package var certainty: Certainty {
            switch self {
            case .linkClick, .linkURL, .browser, .deviceID, .searchAd: .deterministic
            case .fingerprint: .probabilistic
            case .ambiguous, .tooLate, .otherDevice, .unlikely, .refused, .organic: .none
            }
        }

        package var meaning: String {
            switch self {
            case .linkClick: "the app's URI or Google Play's referrer named the click"
            case .linkURL: "a Universal Link, an App Link or the clipboard named the link"
            case .browser: "the browser beside the app named its click"
            case .deviceID: "the click named the device's advertising id"
            case .searchAd: "Apple named an ad in its store"
            case .fingerprint: "address and device were those of a click"
            case .ambiguous: "several clicks fitted about equally well"
            case .tooLate: "the click's window was over"
            case .otherDevice: "the clicks from the address were of other devices, or after the installation"
            case .unlikely: "too little spoke for a click from the address"
            case .refused: "no click was taken, by an earlier version"
            case .organic: "no click, or one from elsewhere"
            }
        }
    }

    package private(set) var counts: [Way: Int64] = [:]

    package init() {}

    package var installs: Int64 { counts.values.reduce(0, +) }

    package func count(_ certainty: Way.Certainty) -> Int64 {
        counts.filter { $0.key.certainty == certainty }.values.reduce(0, +)
    }

    /// Counts an install by its explanation.
    package mutating func add(_ explanation: StoredDecision) { counts[Way(explanation), default: 0] += 1 }

    /// `12.5 %`.
    package static func percent(_ count: Int64, of total: Int64) -> String {
        let tenths = total == 0 ? 0 : (count * 2000 + total) / (2 * total)
        return "\(tenths / 10).\(tenths % 10) %"
    }
}

extension AttributionSummary.Way {
    fileprivate init(_ explanation: StoredDecision) {
        switch explanation.outcome {
        case .matched: self = explanation.matcher.flatMap(Self.init(rawValue:)) ?? .refused
        case .refused: self = explanation.refusal.flatMap { Self(rawValue: $0.rawValue) } ?? .refused
        case .organic: self = .organic
        }
    }
}

extension AttributionSummary {
    private static let page = 500

    /// Summarizes the explanations of a scope's installs. Throws `invalid` if more rows than `rowLimit` would have to be read.
    init(of scope: Scope, in span: AnalyticsSpan, from reader: any ReplayReader, rowLimit: Int) throws {
        self.init()
        var next = Session.ID(rawValue: IDGenerator.first(at: span.start))
        let end = Session.ID(rawValue: IDGenerator.first(at: span.end))
        var rows = 0
        while true {
            let page = try reader.explanationsOfInstalls(from: next, before: end, in: scope, limit: Self.page)
            for row in page { add(row.explanation) }
            rows += page.count
            guard let last = page.last, page.count == Self.page else { return }
            guard rows < rowLimit else {
                throw Failure.invalid("There are more than \(rowLimit) installs in this span. Use a shorter one.", at: "from")
            }
            next = Session.ID(rawValue: last.session.rawValue + 1)
        }
    }
}

extension AnalyticsService {
    /// Summarizes how the installs of the last `days` days were attributed.
    package func attributionSummary(of scope: Scope, days: Int64) async throws -> AttributionSummary {
        let now = clock.now()
        let span = try AnalyticsSpan(start: now - .seconds(days * 86_400), end: now + .milliseconds(1))
        return try await storage.analyze(scope) { [rowLimit] reader in
            try AttributionSummary(of: scope, in: span, from: reader, rowLimit: rowLimit)
        }
    }
}
