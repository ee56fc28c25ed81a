import ArgumentParser
import LindenKernel
import LindenServices

struct StatusCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "status",
        abstract: "Show how a server does: whether it is ready, its load, its disk, its backups.",
        discussion: """
            Asks the server at http.admin_address. Without that setting, shows what the database and its disk tell without a server.

            The exit status is 1 if the server does not answer or is not ready.
            """)

    @Option(
        help: ArgumentHelp(
            "The address to ask, such as 127.0.0.1:9091. Default: the setting http.admin_address.", valueName: "address"))
    var adminAddress: String?
    @OptionGroup var common: CommonOptions

    func run() async throws {
        let settings = try await common.settings(flags: ["http.admin_address": adminAddress])
        let output = Output(format: common.format)
        guard let address = settings.adminAddress else {
            return try await common.withServices { services in
                let (status, workload) = (try await services.system.status(), try await services.system.workload())
                output.show(ServerStatus(status, workload).view(common.format))
            }
        }
        let (metrics, problem) = try await AdminClient(address: address).ask()
        output.show(ServerStatus(metrics, problem: problem, now: WallClock.system.now()).view(common.format))
        if problem != nil { throw ExitCode.failure }
    }
}
