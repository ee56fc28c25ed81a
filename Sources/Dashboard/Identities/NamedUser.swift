import Linden
import LindenKernel
import LindenServices

/// A user of the app, as the dashboard names it. White space around a developer's id is part of it: with and without are two users.
struct NamedUser: Sendable {
    let id: Identity.ID
    /// By this, the dashboard's own links and forms name the user.
    let reference: String
    /// The developer's id of the user; nil for an anonymous one.
    let name: String?

    init(_ identity: Identity, _ publicIDs: PublicIDs) {
        id = identity.id
        reference = publicIDs.reference(to: identity.id)
        name = identity.developerIdentity
    }

    var shown: String { name?.withVisibleSpace ?? "an anonymous user" }

    /// What a person types to confirm an act: the developer's id. The reference if there is none or it has white space around it.
    var confirmation: String {
        guard let name, !name.hasSpaceAround else { return reference }
        return name
    }
}

extension Dashboard {
    /// Returns the user that a form or a link names, by exactly what was sent. Fails with `invalid` for an empty text, and with
    /// `notFound`.
    func appUser(_ text: String, in scope: Scope) async throws -> NamedUser {
        guard !text.isEmpty else { throw Failure.invalid("identity is missing: the user's id.") }
        return NamedUser(try await services.people.identity(text, in: scope), services.publicIDs)
    }

    /// Returns the user that a person looks up. A pasted id often has white space around it. It is removed only if no user has
    /// exactly this id. Fails with `notFound`.
    func lookUpIdentity(_ typed: String, in scope: Scope) async throws -> Identity {
        do {
            return try await services.people.identity(typed, in: scope)
        } catch let failure as Failure where failure.code == .notFound && typed.hasSpaceAround {
            return try await services.people.identity(typed.trimmed, in: scope)
        }
    }
}

extension String {
    var hasSpaceAround: Bool { trimmed.utf8.count != utf8.count }

    /// The text, in quotation marks if it has white space around it.
    var withVisibleSpace: String { hasSpaceAround ? "\"\(self)\"" : self }
}
