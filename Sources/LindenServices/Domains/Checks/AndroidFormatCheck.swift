import Linden
import LindenKernel

/// A check that the file is a JSON array of statements.
struct AndroidFormatCheck: AssociationCheck {
    let name = "json"
    let isDecisive = true

    func verdict(on file: HostedFile) -> Verdict {
        do {
            _ = try AssetLinks(file.bytes)
            return .ok("The file is JSON of Google's shape.")
        } catch {
            return .error("\(file.url) \(error.message) Serve Linden's own file.")
        }
    }
}
