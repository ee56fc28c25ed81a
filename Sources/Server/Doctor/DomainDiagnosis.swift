import Linden
import LindenKernel
import LindenServices
import OutgoingHTTP

/// The diagnosis of a link domain: fetches its association files and compares them with those that Linden would serve.
package struct DomainDiagnosis: Sendable {
    private let host: String
    private let files: AssociationFiles
    private let client: DirectClient
    private let isSecure: Bool
    /// The server that is looked at instead of the one that the host's name resolves to; nil for the latter.
    private let otherServer: String?
    private let asksAppleCDN: Bool

    package init(
        host: String, files: AssociationFiles, client: DirectClient, isSecure: Bool = true, otherServer: String? = nil,
        asksAppleCDN: Bool = false
    ) {
        self.host = host
        self.files = files
        self.client = client
        self.isSecure = isSecure
        self.otherServer = otherServer
        self.asksAppleCDN = asksAppleCDN
    }

    /// Maximum bytes read of a file. Far above the size allowed for either, so that the size of one that is too large can be reported.
    private static let limit = 1 << 20
    private static let timeout = Duration.seconds(10)

    package func findings() async throws -> [Finding] {
        if let otherServer {
            return try await findings(
                after: Finding(
                    "dns", .warning, "\(otherServer) was looked at. Phones look at what the name \(host) leads to."))
        }
        let addresses = try await Self.addresses(of: host)
        return try await findings(after: Self.resolution(of: host, to: addresses))
    }

    /// Returns the findings for a user of the dashboard, who may name any host: nothing is fetched from private addresses.
    static func findings(onPublic host: String, _ files: AssociationFiles) async throws -> [Finding] {
        let addresses = try await addresses(of: host)
        let resolution = resolution(of: host, to: addresses)
        guard let first = addresses.first, addresses.allSatisfy(\.isPublic) else {
            return files.apps.flatMap(AppSettingsCheck.findings) + [resolution]
        }
        // At the address that was checked: the name may lead to another one by now.
        let client = try DirectClient(connectingTo: DirectClient.Place(host: first.description, port: 443))
        return try await DomainDiagnosis(host: host, files: files, client: client).findings(after: resolution)
    }

    private func findings(after resolution: Finding) async throws -> [Finding] {
        var findings = files.apps.flatMap(AppSettingsCheck.findings)
        findings.append(resolution)
        // Both at once: each may take as long as a request may.
        let android = Task { try await answer(at: AssociationSystem.android.path) }
        let answers = try await withTaskCancellationHandler {
            (try await answer(at: AssociationSystem.apple.path), try await android.value)
        } onCancel: {
            android.cancel()
        }
        switch answers {
        case (.failure(let first), .failure(let second)):
            let errors = first == second ? "\(first)" : "\(first); \(second)"
            findings.append(Finding("https", .error, "\(host) cannot be asked for the files: \(errors)."))
        case (let apple, let android):
            findings.append(transport)
            findings += self.findings(on: apple, for: .apple)
            if case .success = apple { findings.append(try await oldCopy()) }
            findings += self.findings(on: android, for: .android)
        }
        if asksAppleCDN { findings.append(try await appleCDN()) }
        return findings
    }

    private static func addresses(of host: String) async throws -> [IPAddress] {
        let addresses = (try? await SystemNameResolver.addresses(of: host)) ?? []
        try Task.checkCancellation()
        return addresses
    }

    private static func resolution(of host: String, to addresses: [IPAddress]) -> Finding {
        ResolutionCheck.finding(
            host: host, addresses: addresses.map(\.description),
            privateAddresses: addresses.filter { !$0.isPublic }.map(\.description))
    }

    private var transport: Finding {
        isSecure
            ? Finding("https", .ok, "\(host) speaks HTTPS, with a certificate for its name.")
            : Finding(
                "https", .warning, "\(host) was looked at without TLS. Phones refuse that: they fetch the files over HTTPS alone.")
    }

    /// The finding on the file at the root path. iOS reads it only if nothing is at the usual path, so a problem is a warning at most.
    private func oldCopy() async throws -> Finding {
        let check = "apple.root"
        switch try await answer(at: AssociationSystem.oldApplePath) {
        case .success(let copy):
            guard let problem = files.findings(on: copy, for: .apple).first(where: { $0.status != .ok }) else {
                return Finding(check, .ok, "\(AssociationSystem.oldApplePath) is good too.")
            }
            return Finding(check, .warning, "iOS falls back on \(AssociationSystem.oldApplePath): " + problem.detail)
        case .failure(let error):
            return Finding(check, .warning, "iOS falls back on \(AssociationSystem.oldApplePath), but \(error).")
        }
    }

    private func findings(on answer: Result<HostedFile, DirectFetchError>, for system: AssociationSystem) -> [Finding] {
        switch answer {
        case .success(let file): files.findings(on: file, for: system)
        case .failure(let error):
            [Finding("\(system.rawValue).status", .error, "\(host) cannot be asked for \(system.path): \(error).")]
        }
    }

    private func appleCDN() async throws -> Finding {
        let url = AppleCacheCheck.url(of: host)
        do {
            let answer = try await DirectClient().get(url, limit: Self.limit, timeout: Self.timeout)
            return AppleCacheCheck.finding(
                cached: HostedFile(url: url, answer), reason: answer.header("apple-failure-reason"), files: files)
        } catch let error as DirectFetchError {
            return Finding("apple.cdn", .warning, "Apple's CDN could not be reached: \(error).")
        }
    }

    private func answer(at path: String) async throws -> Result<HostedFile, DirectFetchError> {
        let scheme = isSecure ? "https://" : "http://"
        let url = scheme + host + path
        do {
            return .success(HostedFile(url: url, try await client.get(url, limit: Self.limit, timeout: Self.timeout)))
        } catch let error as DirectFetchError {
            return .failure(error)
        }
    }
}

extension HostedFile {
    fileprivate init(url: String, _ answer: DirectAnswer) {
        self.init(
            url: url, status: answer.status, contentType: answer.header("content-type"),
            contentEncoding: answer.header("content-encoding"), location: answer.header("location"), bytes: answer.bytes)
    }
}
