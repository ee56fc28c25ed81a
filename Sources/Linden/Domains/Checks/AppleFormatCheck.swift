/// The file must be JSON that says something of links, in one of Apple's shapes.
struct AppleFormatCheck: AssociationCheck {
    let name = "json"
    let isDecisive = true

    func verdict(on file: HostedFile) -> Verdict {
        do {
            _ = try AppleAssociation(file.bytes)
            return .ok("The file is JSON of Apple's shape.")
        } catch {
            return .error("\(file.url) \(error.message) Serve Linden's own file.")
        }
    }
}
