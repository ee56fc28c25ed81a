import Linden
import LindenAPI
import LindenKernel
import LindenLedger
import LindenReporting
import LindenServices

extension Table {
    /// What happened to a user, newest first.
    ///
    /// - Parameter captions: those of the links, by their ids.
    static func timeline(
        _ timeline: IdentityTimeline, _ captions: [String: LinkCaption], of scope: Scope, _ publicIDs: PublicIDs
    ) -> Table {
        func link(_ id: Link.ID?) -> Cell {
            guard let id else { return Cell("") }
            let caption = captions[String(id.rawValue)]
            let href = caption?.url == nil ? nil : PagePath.link(id, scope)
            return Cell(caption?.title ?? caption?.url ?? "a link", href: href)
        }
        return Table(
            "What happened, newest first", ["Time", "What", "Details"].map { Column(columnLabel: $0) },
            timeline.entries.map { entry in
                let time = Cell.time(entry.time.iso8601)
                switch entry.what {
                case .session(let id, let kind, let source):
                    let href = PagePath.sessions(scope) + "/" + publicIDs.reference(to: id)
                    return [time, Cell(kind.title, href: href), link(source)]
                case .click(let source): return [time, Cell("Click"), link(source)]
                case .event(let name, let amount): return [time, Cell(name), Cell(amount ?? "")]
                case .credits(let record):
                    let sign = record.amount > 0 ? "+" : ""
                    return [
                        time, Cell("Credits"),
                        Cell("\(sign)\(record.amount.grouped)", note: "\(record.transaction.kind.name), \(record.bucket.name)"),
                    ]
                }
            }, isCaptionVisible: true)
    }
}

extension IdentityTimeline {
    /// The values of the links that it names, as ``AnalyticsService/captions(of:in:)`` takes them.
    var linkValues: Set<String> {
        Set(
            entries.compactMap { entry -> String? in
                switch entry.what {
                case .session(_, _, let link), .click(let link): link.map { String($0.rawValue) }
                case .event, .credits: nil
                }
            })
    }
}
