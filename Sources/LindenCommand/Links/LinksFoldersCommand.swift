import ArgumentParser
import Linden
import LindenAPI
import LindenKernel
import LindenReporting
import LindenServices

struct LinksFoldersCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "folders", abstract: "List the folders of an app's links.",
        discussion: """
            A link is in one folder at most, and a folder exists as long as it has links that are not deleted. `linden links update` and \
            `linden links bulk` move links, with --folder.
            """)

    @OptionGroup var app: AppOption
    @Option(help: "How many to list.")
    var limit = 1000
    @Option(help: ArgumentHelp("Only folders behind this one: the next page.", valueName: "folder"))
    var after: String?
    @OptionGroup var common: CommonOptions

    func validate() throws {
        try check(limit: limit)
    }

    func run() async throws {
        try await common.withServices { services in
            let scope = try await services.apps.scope(of: app.app)
            let page = try await services.linkLists.folders(of: scope, after: after ?? "", limit: limit)
            Output(format: common.format).list(
                page.names.map { ["folder": .string($0)] }, empty: "There are no folders: linden links update LINK --folder NAME")
            if let next = page.next { Output.say("There are more: go on with --after '\(next)'.") }
        }
    }
}
