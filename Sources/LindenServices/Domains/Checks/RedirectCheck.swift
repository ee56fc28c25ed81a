/// A check that the response is not a redirect, which neither Apple nor Google follows.
struct RedirectCheck: AssociationCheck {
    let system: AssociationSystem
    let name = "redirect"
    let isDecisive = true

    func verdict(on file: HostedFile) -> Verdict {
        guard [301, 302, 303, 307, 308].contains(file.status) else { return .ok("\(file.url) is answered without a redirect.") }
        let target = file.location.map { " to \($0)" } ?? ""
        return .error(
            "\(file.url) redirects\(target) with status \(file.status), and \(system.reader) does not go along. Have the proxy "
                + "pass this very address on to Linden.")
    }
}
