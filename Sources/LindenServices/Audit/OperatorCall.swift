import Linden
import LindenKernel
import Synchronization

/// A call by which an operator may change something: a request of the management API or the dashboard, or a command. The check of its
/// credentials says who its actor is; from then on, each write of the task is recorded in the audit log, see
/// ``AuditedDatabase``.
package final class OperatorCall: Sendable {
    package enum Interface: String, Sendable {
        case api, mcp, dashboard, command
    }

    /// The call of the current task; nil for a visit, a call of an SDK and the server's own work.
    @TaskLocal package static var current: OperatorCall?

    private struct State {
        var action: String
        var actor: AuditActor?
    }

    private let interface: Interface
    private let address: String
    private let state: Mutex<State>

    /// - Parameters:
    ///   - action: the route or the command.
    ///   - address: where the call came from: a network address, or the name of the machine for a command.
    package init(_ interface: Interface, action: String, address: String, actor: AuditActor? = nil) {
        self.interface = interface
        self.address = address
        state = Mutex(State(action: action, actor: actor))
    }

    /// Sets the actor of the current task's call, if there is one.
    ///
    /// - Parameter action: a more exact name of the route; nil to keep the name.
    package static func identify(_ actor: AuditActor, action: String? = nil) {
        current?.state.withLock { state in
            state.actor = actor
            if let action { state.action = action }
        }
    }

    /// The author of the call's changes; nil as long as the actor is not known.
    var author: AuditAuthor? {
        state.withLock { state in
            state.actor.map { AuditAuthor(actor: $0, interface: interface, action: state.action, address: address) }
        }
    }
}

/// The operator behind a call.
package struct AuditActor: Sendable {
    package enum Kind: String, Sendable, CaseIterable {
        /// An access token.
        case token
        /// A user of the dashboard.
        case user
        /// The secret of an app, whose id is the actor's.
        case secret
        /// A command on the machine of the database.
        case command
    }

    package let kind: Kind
    package let id: Int64?
    package let name: String

    private init(_ kind: Kind, id: Int64?, name: String) {
        self.kind = kind
        self.id = id
        self.name = name
    }

    package static func token(_ token: AccessToken) -> AuditActor { AuditActor(.token, id: token.id.rawValue, name: token.name) }

    package static func user(_ user: DashboardUser) -> AuditActor { AuditActor(.user, id: user.id.rawValue, name: user.name) }

    package static func secret(of app: App) -> AuditActor { AuditActor(.secret, id: app.id.rawValue, name: app.name) }

    /// - Parameter account: the name of the account of the operating system.
    package static func command(by account: String) -> AuditActor { AuditActor(.command, id: nil, name: account) }
}

/// Who makes the changes of a call, from where and by which action.
package struct AuditAuthor: Sendable {
    package let actor: AuditActor
    package let interface: OperatorCall.Interface
    package let action: String
    package let address: String
}
