import LindenKernel

extension PublicIDs {
    /// Returns the token that an identity's links contain. Only this installation can resolve it to the identity, and it grants no access.
    package func shareToken(for id: Identity.ID) -> String { sharedText(for: id.rawValue) }

    package func identity(forShareToken text: String) -> Identity.ID? {
        number(forSharedText: text).map(Identity.ID.init(rawValue:))
    }
}
