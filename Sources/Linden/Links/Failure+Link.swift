import LindenKernel

extension Failure {
    package static let noSuchLink = Failure.notFound("There is no such link.")

    /// The error for a taken alias, with Branch's message; `place` is the domain and the alias.
    static func aliasTaken(_ place: String, differences: JSONObject) -> Failure {
        Failure(.conflict, "Link alias conflict: \(place)", details: ["differences": .object(differences)])
    }
}
