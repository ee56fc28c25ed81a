import Linden

/// A check of one requirement of Apple or Google for an association file (Apple, "Supporting associated domains"; developer.android.com,
/// "Verify Android App Links").
protocol AssociationCheck {
    /// The name of the check: the part of a finding's name after the system.
    var name: String { get }
    /// Whether a failure ends the checks of the file.
    var isDecisive: Bool { get }

    /// Whether the check produces a finding for a file.
    func applies(to file: HostedFile) -> Bool
    func verdict(on file: HostedFile) -> Verdict
}

extension AssociationCheck {
    var isDecisive: Bool { false }

    func applies(to file: HostedFile) -> Bool { true }
}

/// The result of a check, with an explanation.
struct Verdict: Equatable {
    let status: Finding.Status
    let detail: String

    static func ok(_ detail: String) -> Verdict { Verdict(status: .ok, detail: detail) }
    static func warning(_ detail: String) -> Verdict { Verdict(status: .warning, detail: detail) }
    static func error(_ detail: String) -> Verdict { Verdict(status: .error, detail: detail) }
}

extension AssociationFiles {
    /// Checks a hosted file as the system does, and compares it with the file that Linden would serve.
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
