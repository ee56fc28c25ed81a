import ArgumentParser

struct ServeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "serve",
        abstract: "Serve links and SDKs over HTTP.",
        discussion: "Stops on SIGTERM or Ctrl-C after the requests in flight are answered.")

    @Option(help: "The address to listen on.")
    var host: String?
    @Option(help: "The port to listen on; 0 for any free one.")
    var port: String?
    @Option(help: ArgumentHelp("The public address of links without a domain, such as https://go.example.com.", valueName: "url"))
    var baseUrl: String?
    @OptionGroup var common: CommonOptions

    func run() async throws {
        let settings = try await common.settings(flags: ["http.host": host, "http.port": port, "http.base_url": baseUrl])
        try settings.backup.checkThatServerUploads()
        try await LindenService(settings: settings).run()
    }
}
