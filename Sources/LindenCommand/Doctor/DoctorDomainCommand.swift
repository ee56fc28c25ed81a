import ArgumentParser
import Linden
import LindenKernel
import LindenServices
import OutgoingHTTP
import Server

struct DoctorDomainCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "domain",
        abstract: "Check a link domain as Apple and Google do, and report what prevents phones from opening the app.",
        discussion: """
            Checks that the host belongs to an app, that its name resolves to a server, and that apple-app-site-association and \
            assetlinks.json are served there as phones require, with all apps of the host. Warns of proxies whose forwarded addresses the \
            running server ignores (http.trusted_proxies) or cannot parse, and of files of the database that other users can read or replace. \
            The exit status is 1 if there is an error.
            """)

    @Argument(help: "The host.")
    var host: String
    @Option(
        help: ArgumentHelp(
            "Check the server at this address instead of the one that the host's name resolves to, such as a new server.",
            valueName: "address[:port]"))
    var connect: ConnectAddress?
    @Option(help: ArgumentHelp("A PEM file of certificates to trust in addition to the system's.", valueName: "file"))
    var ca: String?
    @Flag(help: "Check the host over HTTP without TLS, for tests. Phones require TLS.")
    var insecureHttp = false
    @Flag(help: "Also check Apple's CDN, from which iPhones get the file. This tells Apple the host's name.")
    var appleCdn = false
    @OptionGroup var common: CommonOptions

    func run() async throws {
        let client = try client()
        try await common.withServices { services in
            let host = try Domain.normalizedHost(host)
            let files = try await services.domains.associationFiles(of: host)
            var findings = [HostCheck.finding(host: host, files: files, baseURL: services.baseURL)]
            if let files {
                let examination = DomainDiagnosis(
                    host: host, files: files, client: client, isSecure: !insecureHttp, otherServer: connect?.text,
                    asksAppleCDN: appleCdn)
                findings += try await examination.findings()
            }
            findings += try await services.proxyFaults.findings() + common.databaseFindings()
            try findings.report(about: ["host": .string(host)], format: common.format)
        }
    }

    private func client() throws -> DirectClient {
        do {
            return try DirectClient(connectingTo: connect?.place(isSecure: !insecureHttp), trusting: ca)
        } catch {
            throw Failure.unusable("\(ca ?? "") must be a file with PEM certificates.")
        }
    }
}
