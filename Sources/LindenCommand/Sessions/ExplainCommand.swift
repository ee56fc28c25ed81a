import ArgumentParser
import Linden
import LindenAPI
import LindenKernel
import LindenReporting
import LindenServices

struct ExplainCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "explain", abstract: "Explain why a session was attributed to its link, or to none.",
        discussion: "Lists all clicks that were considered, their signals, and the reason why each was matched or not.")

    @Argument(help: "The session's id: the session_id of Linden (session_…), or that of the SDK.")
    var session: String
    @OptionGroup var common: CommonOptions

    func run() async throws {
        try await common.withServices { services in
            let session = try await services.explanations.session(session)
            let explanation = try await services.explanations.explanation(of: session).view(services.publicIDs, services.baseURL)
            switch common.format {
            case .json: Output(format: .json).show(explanation)
            case .table: print(Explained(explanation).text)
            }
        }
    }
}

/// The text form of an attribution explanation.
private struct Explained {
    private let members: JSONObject

    init(_ members: JSONObject) {
        self.members = members
    }

    var text: String { ([headline, "", reason] + clicks + asked).map(Output.printable).joined(separator: "\n") }

    private var headline: String {
        "Session \(self["session_id"]) (\(self["kind"]), \(self["mode"]), \(self["started_at"]))"
    }

    private var reason: String {
        switch self["outcome"] {
        case "matched" where members["ad"]?.object != nil:
            "Attributed to \(ad), and to no link: \(self["reason"])"
        case "matched" where members["attributed"] == false:
            "Given the data of \(members["link"]?.string ?? "a link") without credit, as the link asks: \(self["reason"])"
        case "matched":
            "Attributed to \(members["link"]?.string ?? "a long link"), \(certainty): \(self["reason"])"
        case "refused": "Attributed to no link, although there were clicks: \(self["reason"])"
        default: "Organic: \(self["reason"])"
        }
    }

    private var certainty: String {
        guard members["match_guaranteed"] != true else { return "deterministic" }
        guard let wrong = members["estimated_wrong_per_thousand"]?.int64 else { return "probabilistic" }
        let word = wrong <= MatchConfidence.likely ? "likely" : "possible"
        return "probabilistic and \(word) (an estimated \(AttributionSummary.percent(wrong, of: 1000)) of such matches are wrong)"
    }

    private var ad: String {
        let labels = members["ad"]?.object ?? [:]
        let names = ["~campaign", "~ad_set_name", "~keyword"].compactMap { labels[$0]?.string }
        return "an ad in the App Store" + (names.isEmpty ? "" : " (\(names.joined(separator: ", ")))")
    }

    private var clicks: [String] {
        let candidates = (members["candidates"]?.array ?? []).compactMap(\.object)
        guard !candidates.isEmpty else { return [] }
        return ["", "Clicks that were looked at:"]
            + candidates.flatMap { candidate -> [String] in
                let signals = (candidate["signals"]?.array ?? []).compactMap(\.object).map { signal in
                    let points = signal["points"]?.int64.map { " (\($0 < 0 ? "" : "+")\($0))" } ?? ""
                    return "      \(signal["name"]?.string ?? ""): \(signal["seen"]?.string ?? "")\(points)"
                }
                let mark = candidate["won"] == true ? "✓" : "✗"
                let points = candidate["points"]?.int64.map { ", \($0) points" } ?? ""
                let link = candidate["link"]?.string.map { " on \($0)" } ?? ""
                return [
                    "  \(mark) click \(candidate["click_id"]?.string ?? "") of \(candidate["clicked_at"]?.string ?? "")\(link)\(points)",
                    "      \(candidate["reason"]?.string ?? "")",
                ] + signals
            }
    }

    private var asked: [String] {
        let answers = (members["answers"]?.array ?? []).compactMap(\.object)
        guard !answers.isEmpty else { return [] }
        return ["", "What was asked, in order (rules \(members["rule_version"]?.scalarText ?? "?")):"]
            + answers.map { "  \($0["matcher"]?.string ?? ""): \($0["reason"]?.string ?? "")" }
    }

    private subscript(name: String) -> String { members[name]?.scalarText ?? "" }
}
