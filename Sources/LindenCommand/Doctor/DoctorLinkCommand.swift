import ArgumentParser
import Linden
import LindenAPI
import LindenKernel
import LindenReporting
import LindenServices
import LinkRouting

struct DoctorLinkCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "link",
        abstract: "Show where a link leads a visitor and why, and which of its data are invalid. Records no click.",
        discussion: "Without --as and --user-agent, every example visitor is shown: "
            + ExampleVisitor.all.map(\.name).joined(separator: ", ") + ".")

    @Argument(help: "The link: its URL, which may have an appended query, or its slug, alias or id.")
    var link: String
    @Option(name: .customLong("as"), help: ArgumentHelp("An example visitor, such as iphone.", valueName: "visitor"))
    var visitor: String?
    @Option(help: ArgumentHelp("The User-Agent header of the visitor's browser.", valueName: "text"))
    var userAgent: String?
    @Option(help: ArgumentHelp("The visitor's country, as two letters such as de.", valueName: "country"))
    var country: String?
    @Option(help: ArgumentHelp("Whether the visitor is known to have the app: yes or no.", valueName: "answer"))
    var hasApp: Answer?
    @OptionGroup var base: BaseURLOption
    @OptionGroup var common: CommonOptions

    enum Answer: String, ExpressibleByArgument {
        case yes, no
    }

    func validate() throws {
        if let visitor, !ExampleVisitor.all.contains(where: { $0.name == visitor }) {
            throw ValidationError("--as must be one of \(ExampleVisitor.all.map(\.name).joined(separator: ", ")).")
        }
        if visitor != nil, userAgent != nil { throw ValidationError("Give --as or --user-agent, not both.") }
        if let country, country.count != 2 || !country.allSatisfy({ $0.isASCII && $0.isLetter }) {
            throw ValidationError("--country must be the two letters of a country, such as de.")
        }
    }

    func run() async throws {
        try await common.withServices(baseURL: base.baseUrl) { services in
            let inspection = try await inspection(services.links, services.clicks)
            let findings = inspection.app.dataFindings(on: inspection.link)
            if let userAgent {
                show(answer("custom", Visitor(userAgent: userAgent), inspection), findings)
            } else if let example = ExampleVisitor.all.first(where: { $0.name == visitor }) {
                show(answer(example.name, example.visitor, inspection), findings)
            } else {
                show(inspection, url: services.links.url(of: inspection.link), findings)
            }
        }
    }

    /// Prints the destination of one visitor.
    private func show(_ answer: JSONObject, _ findings: [Finding]) {
        let output = Output(format: common.format)
        switch common.format {
        case .json: output.show(answer.merging(["checks": .array(findings.map { .object($0.view) })]))
        case .table: output.show(answer, warnings: findings.filter { $0.status != .ok }.map(\.message))
        }
    }

    /// Prints the destinations of all example visitors.
    private func show(_ inspection: LinkInspection, url: String, _ findings: [Finding]) {
        let output = Output(format: common.format)
        let visitors = ExampleVisitor.all.map { (name: $0.name, visitor: adjusted($0.visitor)) }
        switch common.format {
        case .json: output.show(inspection.view(url: url, visitors))
        case .table:
            let answers = visitors.map { inspection.destination(for: $0.visitor).view(of: $0.visitor, named: $0.name) }
            output.list(answers.map { $0.filter { key, _ in key != "explanation" } }, empty: "")
            print()
            output.list(findings.map(\.row), empty: "")
        }
    }

    private func inspection(_ links: LinkService, _ clicks: ClickService) async throws -> LinkInspection {
        let url = link.contains("://") ? link : links.url(of: try await links.find(link))
        guard let found = try await clicks.inspect(url: url) else { throw Failure.noSuchLink }
        return found
    }

    private func answer(_ name: String, _ example: Visitor, _ inspection: LinkInspection) -> JSONObject {
        let visitor = adjusted(example)
        return inspection.destination(for: visitor).view(of: visitor, named: name)
    }

    /// Returns a visitor with the country and the app of the options.
    private func adjusted(_ example: Visitor) -> Visitor {
        var visitor = example
        visitor.country = country?.uppercased()
        visitor.hasApp = hasApp.map { $0 == .yes }
        return visitor
    }
}
