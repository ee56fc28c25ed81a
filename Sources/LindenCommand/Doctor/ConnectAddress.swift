import ArgumentParser
import LindenKernel
import OutgoingHTTP

/// A server named on the command line: an address or host name, with an optional port.
struct ConnectAddress: ExpressibleByArgument {
    let text: String
    private let secure: DirectClient.Place
    private let insecure: DirectClient.Place

    init?(argument: String) {
        guard !argument.contains(where: { "/?#@".contains($0) }), let https = try? OutgoingURL("https://" + argument),
            let http = try? OutgoingURL("http://" + argument)
        else { return nil }
        text = argument
        secure = https.place
        insecure = http.place
    }

    /// The server, with the scheme's default port if none was given.
    func place(isSecure: Bool) -> DirectClient.Place { isSecure ? secure : insecure }
}

extension OutgoingURL {
    fileprivate var place: DirectClient.Place {
        switch host {
        case .name(let name): DirectClient.Place(host: name, port: port)
        case .address(let address): DirectClient.Place(host: address.description, port: port)
        }
    }
}
