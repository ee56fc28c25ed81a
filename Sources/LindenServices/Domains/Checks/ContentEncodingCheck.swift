/// A check that the response has no content encoding, since the request did not accept any.
struct ContentEncodingCheck: AssociationCheck {
    let name = "content_encoding"
    let isDecisive = true

    func applies(to file: HostedFile) -> Bool { encoding(of: file) != nil }

    func verdict(on file: HostedFile) -> Verdict {
        .error(
            "The file comes with Content-Encoding \(encoding(of: file) ?? ""), which was not asked for and cannot be read here. Have the "
                + "proxy encode it for those alone who say that they accept it.")
    }

    private func encoding(of file: HostedFile) -> String? {
        file.contentEncoding.flatMap { ["", "identity"].contains($0.lowercased()) ? nil : $0 }
    }
}
