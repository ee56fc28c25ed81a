import Linden

/// A check that the file names all Android apps of the host, with all of their certificates.
struct AndroidAppsCheck: AssociationCheck {
    let expected: [AndroidApp]
    let name = "apps"

    func verdict(on file: HostedFile) -> Verdict {
        guard let found = try? AssetLinks(file.bytes).fingerprints else { return .error("The file names no apps.") }
        let problems = expected.compactMap { problem($0, found[$0.package]) }
        guard problems.isEmpty else {
            return .error(problems.joined(separator: " ") + " Serve Linden's own file, so that it follows the app's settings.")
        }
        let names = expected.map(\.package).joined(separator: ", ")
        return .ok(
            expected.isEmpty ? "No Android app is expected in the file." : "The file names \(names), with every fingerprint.")
    }

    private func problem(_ app: AndroidApp, _ found: Set<String>?) -> String? {
        guard let found else { return "The file lacks \(app.package), which therefore opens no links." }
        let missing = app.fingerprints.filter { !found.contains($0) }
        guard !missing.isEmpty else { return nil }
        return
            "The file lacks a fingerprint of \(app.package): \(missing.joined(separator: ", ")). Apps signed with it open no links."
    }
}
