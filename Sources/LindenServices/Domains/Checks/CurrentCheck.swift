import LindenKernel

/// A check that the file equals the one that Linden serves: a copy does not follow changes of the apps' settings.
struct CurrentCheck: AssociationCheck {
    /// The served file in each of its formats.
    let served: [JSON]
    let name = "current"

    func verdict(on file: HostedFile) -> Verdict {
        guard let found = try? JSON.parse(file.bytes, within: .untrusted), served.contains(found) else {
            return .warning(
                "The file is not the one that Linden serves, so it will not follow the apps' settings. Have the proxy pass the "
                    + "address on to Linden rather than hold a copy.")
        }
        return .ok("The file is the one that Linden serves.")
    }
}
