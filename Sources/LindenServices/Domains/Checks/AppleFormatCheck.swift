import LindenKernel

/// A check that the file is JSON with rules for links, in one of Apple's formats.
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
