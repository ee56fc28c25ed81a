/// A check that the file does not exceed the 128 KB that iOS reads (Apple, App Search Programming Guide, "Support Universal Links").
struct SizeCheck: AssociationCheck {
    let name = "size"
    // The rules of a file that no phone reads are not worth the time.
    let isDecisive = true

    static let limit = 128 * 1024

    func verdict(on file: HostedFile) -> Verdict {
        let size = file.bytes.count
        guard size > Self.limit else { return .ok("The file has \(size) bytes of at most \(Self.limit).") }
        return .error(
            "The file has \(size) bytes, and iOS reads no more than \(Self.limit). Give some of the apps a host of their own.")
    }
}
