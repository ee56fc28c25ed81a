import ArgumentParser
import Linden
import LindenAPI
import LindenKernel
import LindenServices

struct DomainsUpdateCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "update",
        abstract: "Set where a domain redirects requests without a valid link. An empty value removes a setting.",
        discussion: "Without them, visitors get a built-in page in their language. The addresses must not be on a link domain.")

    @Argument(help: "The host.")
    var host: String
    @OptionGroup var app: AppOption
    @Option(help: ArgumentHelp("The target for the host's root, such as https://go.example.com/.", valueName: "url"))
    var rootUrl: String?
    @Option(help: ArgumentHelp("The target for unknown links.", valueName: "url"))
    var notFoundUrl: String?
    @Option(help: ArgumentHelp("The target for expired links without an expired_url.", valueName: "url"))
    var expiredUrl: String?
    @OptionGroup var common: CommonOptions

    func validate() throws {
        guard [rootUrl, notFoundUrl, expiredUrl].contains(where: { $0 != nil }) else {
            throw ValidationError("Give at least one of --root-url, --not-found-url and --expired-url.")
        }
    }

    func run() async throws {
        try await common.withServices { services in
            let scope = try await services.apps.scope(of: app.app)
            let urls = (root: rootUrl, notFound: notFoundUrl, expired: expiredUrl)
            let domain = try await services.domains.update(host, of: scope) { pages in
                if let url = urls.root { pages.rootURL = url.isEmpty ? nil : url }
                if let url = urls.notFound { pages.notFoundURL = url.isEmpty ? nil : url }
                if let url = urls.expired { pages.expiredURL = url.isEmpty ? nil : url }
            }
            Output(format: common.format).show(domain.detailedView)
        }
    }
}
