import HTTPTypes
import Hummingbird
import LinkRouting

extension Request {
    /// What the browser says of itself beside its user agent. Most say nothing, see ``VisitHeaders/hasClientHints``.
    var clientHints: ClientHints { ClientHints { name in HTTPField.Name(name).flatMap { headers[$0] } } }
}

extension Answer {
    /// Asks the browser to say more of itself from its next request on. Browsers heed it over https, and from this machine.
    ///
    /// `Critical-CH` would have it said at once, but by the same request a second time: two clicks for one.
    mutating func askForClientHints() {
        headers[.acceptCH] = ClientHints.acceptCH
    }
}

extension HTTPField.Name {
    fileprivate static let acceptCH = HTTPField.Name("Accept-CH")!
}
