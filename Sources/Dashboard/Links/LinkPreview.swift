import Linden
import LindenAPI
import LindenKernel
import LindenReporting
import Pages

/// What a link does, or will do once its form is sent: where it leads four visitors and why, and the card that is shown where it is shared.
struct LinkPreview: Sendable, Equatable {
    private static let visitors = [("iPhone", "iphone"), ("Android", "android"), ("Desktop", "desktop"), ("Robot", "google")]

    let socialTitle: String
    let socialText: String?
    let socialHost: String
    /// The address of the picture. The dashboard's pages load nothing from other sites, so it is shown as text.
    let socialPicture: String?
    let destinations: Table

    init(_ inspection: LinkInspection, _ baseURL: BaseURL, at time: Timestamp) {
        let content = LinkContent(of: inspection.preview(at: time))
        socialTitle = content.title
        socialText = content.description
        socialPicture = content.image
        let host = inspection.link.address.host
        socialHost = host.isEmpty ? baseURL.host : host
        let rows = Self.visitors.compactMap { label, name -> [Cell]? in
            guard let example = ExampleVisitor.all.first(where: { $0.name == name }) else { return nil }
            let view = inspection.destination(for: example.visitor).view(of: example.visitor, named: name)
            let targets = [view["app"]?.string, view["url"]?.string].compactMap { $0 }
            return [
                Cell(label),
                Cell(targets.first ?? "the page of the link", note: targets.dropFirst().first.map { "otherwise " + $0 }),
                Cell(view["explanation"]?.string ?? "", note: view["action"]?.string),
            ]
        }
        destinations = Table(
            "Where it leads", ["Visitor", "Leads to", "Why"].map { Table.Column(columnLabel: $0) }, rows, isCaptionVisible: true)
    }
}

/// A form with a preview beside it, which a script refreshes while the fields are changed.
struct DraftForm: Sendable, Equatable {
    let draftForm: Form
    /// Nil if the fields cannot be saved as they are.
    let preview: LinkPreview?
    /// Why there is no preview.
    let draftProblem: String?
    /// What the link's data says that has no effect.
    var draftWarnings: [String] = []
}
