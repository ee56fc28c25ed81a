import LindenKernel

extension Failure {
    package static let noSuchLink = Failure.notFound("There is no such link.")
}

extension Link {
    /// The error for a new link with the alias of this one, with Branch's message.
    package func aliasTaken(_ baseURL: BaseURL, differences: JSONObject = [:]) -> Failure {
        let place = (address.host.isEmpty ? baseURL.host : address.host) + "/" + address.path
        return Failure(.conflict, "Link alias conflict: \(place)", details: ["differences": .object(differences)], at: ["alias"])
    }
}
