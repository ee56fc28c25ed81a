/// A check that the file names all iOS apps of the host.
struct AppleAppsCheck: AssociationCheck {
    let expected: [String]
    let name = "apps"

    func verdict(on file: HostedFile) -> Verdict {
        guard let found = try? AppleAssociation(file.bytes).appIDs else { return .error("The file names no apps.") }
        let missing = expected.filter { !found.contains($0) }
        guard missing.isEmpty else {
            return .error(
                "The file lacks \(missing.joined(separator: ", ")), which therefore opens no links. Serve Linden's own file, so "
                    + "that it follows the apps' settings.")
        }
        return .ok(expected.isEmpty ? "No iOS app is expected in the file." : "The file names \(expected.joined(separator: ", ")).")
    }
}
