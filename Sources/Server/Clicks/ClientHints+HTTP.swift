import HTTPTypes
import Hummingbird
import LinkRouting

extension Request {
    /// The browser's client hints. Most requests have none, see ``VisitHeaders/hasClientHints``.
    var clientHints: ClientHints { ClientHints { name in HTTPField.Name(name).flatMap { headers[$0] } } }
}

extension BufferedResponse {
    /// Requests client hints from the browser's next request on (`Accept-CH`). Browsers honor it over https, and for localhost.
    ///
    /// `Critical-CH` would deliver them at once, but by repeating the request: two clicks instead of one.
    mutating func askForClientHints() {
        headers[.acceptCH] = ClientHints.acceptCH
    }
}

extension HTTPField.Name {
    fileprivate static let acceptCH = HTTPField.Name("Accept-CH")!
}
