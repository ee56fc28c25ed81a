import Linden
import LindenKernel
import LindenServices
import OutgoingHTTP

/// The diagnosis of a link domain: fetches its association files and compares them with those that Linden would serve.
struct DomainDiagnosis {
    let host: String
    let files: AssociationFiles
    let client: DirectClient
    let isSecure: Bool
    let connect: ConnectAddress?
    let asksAppleCDN: Bool

    /// Maximum bytes read of a file. Far above the size allowed for either, so that the size of one that is too large can be reported.
    private static let limit = 1 << 20
    private static let timeout = Duration.seconds(10)

    func findings() async throws -> [Finding] {
        var findings = files.apps.flatMap(AppSettingsCheck.findings)
        findings.append(try await resolution())
        async let apple = answer(at: AssociationSystem.apple.path)
        async let android = answer(at: AssociationSystem.android.path)
        switch try await (apple, android) {
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

    private func resolution() async throws -> Finding {
        if let connect {
            return Finding("dns", .warning, "\(connect.text) was looked at. Phones look at what the name \(host) leads to.")
        }
        let addresses = (try? await SystemNameResolver.addresses(of: host)) ?? []
        try Task.checkCancellation()
        return ResolutionCheck.finding(
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
