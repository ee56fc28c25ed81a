import ArgumentParser
import Foundation
import LindenKernel
import PrometheusMetrics

struct TopCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "top",
        abstract: "Watch what a server does: requests, clicks, commits and memory, second by second.",
        discussion: """
            Asks the server at http.admin_address again and again; Control-C ends it. With --format json there is one object per line, \
            for a script.
            """)

    @Option(
        help: ArgumentHelp(
            "The address to ask, such as 127.0.0.1:9091. Default: the setting http.admin_address.", valueName: "address"))
    var adminAddress: String?
    @Option(help: ArgumentHelp("Seconds between two readings, 1 to 3600.", valueName: "seconds"))
    var every = 2
    @Option(help: ArgumentHelp("Ends after this number of readings. Default: never.", valueName: "number"))
    var count: Int?
    @OptionGroup var common: CommonOptions

    func validate() throws {
        guard (1...3600).contains(every) else { throw ValidationError("--every must be a whole number from 1 to 3600.") }
        guard count ?? 1 > 0 else { throw ValidationError("--count must be a whole number above 0.") }
    }

    func run() async throws {
        let settings = try await common.settings(flags: ["http.admin_address": adminAddress])
        guard let address = settings.adminAddress else {
            throw Failure.unusable("http.admin_address is not set: only a server with an address for monitors can be watched.")
        }
        let server = AdminClient(address: address)
        let output = Output(format: common.format)
        let isScreen = common.format == .table && isatty(STDOUT_FILENO) == 1
        var last = (try await server.metrics(), ContinuousClock.now)
        for reading in 0..<(count ?? .max) {
            try await Task.sleep(for: .seconds(every))
            let (metrics, problem) = try await server.ask()
            let now = ContinuousClock.now
            let rates = ServerRates(metrics.since(last.0), over: (now - last.1).inSeconds, problem: problem)
            last = (metrics, now)
            if isScreen { clearScreen() } else if common.format == .table, reading > 0 { print() }
            output.show(rates.view(common.format))
            // A reader of the other end of a pipe gets each reading at once.
            fflush(nil)
        }
    }

    /// Moves the cursor of the terminal to its first line, and clears what is below.
    private func clearScreen() {
        print("\u{1B}[H\u{1B}[J", terminator: "")
    }
}
