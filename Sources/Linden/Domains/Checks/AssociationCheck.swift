/// One thing that Apple or Google asks of an association file (Apple, "Supporting associated domains"; developer.android.com,
/// "Verify Android App Links").
protocol AssociationCheck {
    /// What is checked, as the part of a finding's name after the system.
    var name: String { get }
    /// Whether nothing more can be said of a file that fails.
    var isDecisive: Bool { get }

    /// Whether there is anything to say of a file.
    func applies(to file: HostedFile) -> Bool
    func verdict(on file: HostedFile) -> Verdict
}

extension AssociationCheck {
    var isDecisive: Bool { false }

    func applies(to file: HostedFile) -> Bool { true }
}

/// How a check came out, and why.
struct Verdict: Equatable {
    let status: Finding.Status
    let detail: String

    static func ok(_ detail: String) -> Verdict { Verdict(status: .ok, detail: detail) }
    static func warning(_ detail: String) -> Verdict { Verdict(status: .warning, detail: detail) }
    static func error(_ detail: String) -> Verdict { Verdict(status: .error, detail: detail) }
}

extension AssociationFiles {
    /// Looks at a file as its readers do, and holds it against this, what Linden would serve.
    package func findings(on file: HostedFile, for system: AssociationSystem) -> [Finding] {
        var findings: [Finding] = []
        for check in checks(for: system) where check.applies(to: file) {
            let verdict = check.verdict(on: file)
            findings.append(Finding("\(system.rawValue).\(check.name)", verdict.status, verdict.detail))
            if check.isDecisive, verdict.status == .error { break }
        }
        return findings
    }

    private func checks(for system: AssociationSystem) -> [any AssociationCheck] {
        let answer: [any AssociationCheck] = [
            RedirectCheck(system: system), StatusCheck(system: system), ContentTypeCheck(system: system), ContentEncodingCheck(),
        ]
        switch system {
        case .apple:
            return answer + [
                SizeCheck(), AppleFormatCheck(), AppleAppsCheck(expected: appleAppIDs), WebOnlyCheck(appIDs: appleAppIDs),
                CurrentCheck(served: Shape.allCases.map(apple)),
            ]
        case .android:
            return answer + [AndroidFormatCheck(), AndroidAppsCheck(expected: androidApps), CurrentCheck(served: [android])]
        }
    }
}
