import ArgumentParser
import Linden
import LindenAPI
import LindenKernel
import LindenServices

struct LinksTemplatesCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "templates",
        abstract: "Keep named labels and data that new links begin with; see links create --template.",
        subcommands: [LinksTemplatesListCommand.self, LinksTemplatesSaveCommand.self, LinksTemplatesDeleteCommand.self])
}

struct LinksTemplatesListCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(commandName: "list", abstract: "List the templates of an app's side.")

    @OptionGroup var app: AppOption
    @OptionGroup var common: CommonOptions

    func run() async throws {
        try await common.withServices { services in
            let scope = try await services.apps.scope(of: app.app)
            Output(format: common.format).list(
                try await services.linkTemplates.list(scope).map(\.view),
                empty: "There is no template: linden links templates save NAME --app KEY --channel mail")
        }
    }
}

struct LinksTemplatesSaveCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "save", abstract: "Store a template, in place of one with the same name.",
        discussion: "Links that were created with a former template of this name stay as they are.")

    @Argument(help: "The template's name.")
    var name: String
    @OptionGroup var app: AppOption
    @OptionGroup var label: LinkLabelOptions
    @OptionGroup var common: CommonOptions

    func run() async throws {
        let template = LinkTemplate(name: name, labels: label.labels, data: try LinkDataArgument.merge(label.data))
        try await common.withServices { services in
            try await services.linkTemplates.save(template, in: try await services.apps.scope(of: app.app))
            Output(format: common.format).show(template.view)
        }
    }
}

struct LinksTemplatesDeleteCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "delete", abstract: "Delete a template. Links that were created with it stay as they are.")

    @Argument(help: "The template's name.")
    var name: String
    @OptionGroup var app: AppOption
    @OptionGroup var confirmation: Confirmation
    @OptionGroup var common: CommonOptions

    func run() async throws {
        try await common.withServices { services in
            let scope = try await services.apps.scope(of: app.app)
            let template = try await services.linkTemplates.template(name, in: scope)
            try confirmation.ask("Delete the template \(template.name)?")
            try await services.linkTemplates.delete(name, in: scope)
            Output(format: common.format).show(["name": .string(name), "deleted": true])
        }
    }
}
