import ArgumentParser
import Foundation
import LindenKernel
import LindenServices
import OutgoingHTTP
import PrometheusMetrics

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
        let (metrics, problem) = try await Self.ask(address)
        output.show(ServerStatus(metrics, problem: problem, now: WallClock.system.now()).view(common.format))
        if problem != nil { throw ExitCode.failure }
    }

    private static let timeout: Duration = .seconds(5)
    private static let mostBytes = 4 << 20

    /// Returns a server's metrics, and why it is not ready; nil if it is.
    private static func ask(_ address: AdminAddress) async throws -> (MetricsText, problem: String?) {
        do {
            let ready = try await DirectClient.getJSON("http://\(address)/readyz", limit: mostBytes, timeout: timeout)
            let metrics = try await DirectClient.getJSON("http://\(address)/metrics", limit: mostBytes, timeout: timeout)
            guard metrics.status == 200 else {
                throw Failure.unusable(
                    "http://\(address)/metrics answers \(metrics.status): it is not the admin address of a server.")
            }
            let error = try? JSON.parse(String(decoding: ready.bytes, as: UTF8.self)).object?["error"]?.object?["message"]?.string
            return (
                MetricsText(String(decoding: metrics.bytes, as: UTF8.self)),
                ready.status == 200 ? nil : error ?? "/readyz answers \(ready.status)"
            )
        } catch let error as DirectFetchError {
            throw Failure.unusable("No server answers at http.admin_address (\(address)): \(error)")
        }
    }
}
