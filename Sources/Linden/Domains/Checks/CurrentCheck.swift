/// The file must be the one that Linden serves: a copy of it does not follow the apps' settings.
struct CurrentCheck: AssociationCheck {
    /// In each way of writing it.
    let served: [JSON]
    let name = "current"

    func verdict(on file: HostedFile) -> Verdict {
        guard let found = try? JSON.parse(file.bytes), served.contains(found) else {
            return .warning(
                "The file is not the one that Linden serves, so it will not follow the apps' settings. Have the proxy pass the "
                    + "address on to Linden rather than hold a copy.")
        }
        return .ok("The file is the one that Linden serves.")
    }
}
