/// A check that the status is 200; any client must get it.
struct StatusCheck: AssociationCheck {
    let system: AssociationSystem
    let name = "status"
    let isDecisive = true

    func verdict(on file: HostedFile) -> Verdict {
        guard file.status != 200 else { return .ok("The status is 200.") }
        return .error(
            "\(file.url) answers with status \(file.status), but \(system.reader) takes nothing but 200. " + advice(file.status))
    }

    private func advice(_ status: Int) -> String {
        switch status {
        case 401, 403, 407, 429: "The file must be open to everybody: no login, no test for robots, no list of addresses."
        case 500...: "The log of the proxy or of Linden says why."
        default: "Have the proxy pass /.well-known/ on to Linden, with the Host header as it came."
        }
    }
}
