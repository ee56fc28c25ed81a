/// A check that the content type is JSON. Google requires it; Apple documents it but is lenient.
struct ContentTypeCheck: AssociationCheck {
    let system: AssociationSystem
    let name = "content_type"

    func verdict(on file: HostedFile) -> Verdict {
        let type = file.contentType?.lowercased().split { "; \t".contains($0) }.first
        guard type != "application/json" else { return .ok("The Content-Type is application/json.") }
        let found = file.contentType.map { "The Content-Type is \($0)" } ?? "There is no Content-Type"
        switch system {
        case .apple: return .warning("\(found), which iOS may let pass. Serve the file as application/json.")
        case .android: return .error("\(found), and Google takes nothing but application/json. Serve the file as that.")
        }
    }
}
