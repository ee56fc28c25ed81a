import Synchronization

/// An in-memory cache of stored values, cleared when the data changes.
///
/// A change by this process calls ``clear()`` or ``change(_:)``; a change by another process increments the ``ChangeCounter``, which every
/// look-up compares. Invariant: a value that was read before a change is never inserted after it, because the reader takes a ticket first.
package final class Cache<Entries: Sendable>: Sendable {
    /// A record of the state in which a read began.
    package struct Ticket: Sendable, Hashable {
        fileprivate let generation: Int
        fileprivate let foreignChanges: Int
    }

    private struct State {
        var entries: Entries
        var generation = 0
        var foreignChanges: Int
    }

    private let empty: Entries
    private let storage: any ChangeCounter
    private let state: Mutex<State>

    package init(empty: Entries, storage: any ChangeCounter) {
        self.empty = empty
        self.storage = storage
        state = Mutex(State(entries: empty, foreignChanges: storage.foreignChanges))
    }

    package func value<Value: Sendable>(_ look: (borrowing Entries) -> Value?) -> Value? {
        let changes = storage.foreignChanges
        return state.withLock { state in
            refresh(&state, changes)
            return look(state.entries)
        }
    }

    /// Returns the result of a look-up in entries that record their use, such as a ``TwoGenerationCache``.
    package func lookUp<Value: Sendable>(_ look: (inout Entries) -> Value) -> Value {
        let changes = storage.foreignChanges
        return state.withLock { state in
            refresh(&state, changes)
            return look(&state.entries)
        }
    }

    package var ticket: Ticket {
        let changes = storage.foreignChanges
        return state.withLock { state in
            refresh(&state, changes)
            return Ticket(generation: state.generation, foreignChanges: changes)
        }
    }

    /// Returns a ticket, and a result of a look-up at the same moment.
    package func ticket<Value: Sendable>(_ look: (borrowing Entries) -> Value) -> (ticket: Ticket, value: Value) {
        let changes = storage.foreignChanges
        return state.withLock { state in
            refresh(&state, changes)
            return (Ticket(generation: state.generation, foreignChanges: changes), look(state.entries))
        }
    }

    package func insert(_ ticket: Ticket, _ change: (inout Entries) -> Void) {
        let changes = storage.foreignChanges
        state.withLock { state in
            refresh(&state, changes)
            guard state.generation == ticket.generation, state.foreignChanges == ticket.foreignChanges else { return }
            change(&state.entries)
        }
    }

    package func clear() {
        // Freed after the lock, for which visits wait: some hundred thousand entries take tens of milliseconds.
        let former = state.withLock { state in
            let former = state.entries
            state.entries = empty
            state.generation += 1
            return former
        }
        withExtendedLifetime(former) {}
    }

    /// Removes outdated entries. Results of reads in progress are not inserted afterwards.
    package func change(_ change: (inout Entries) -> Void) {
        state.withLock { state in
            change(&state.entries)
            state.generation += 1
        }
    }

    private func refresh(_ state: inout sending State, _ changes: Int) {
        // Another thread may have seen a later change.
        guard state.foreignChanges < changes else { return }
        state.foreignChanges = changes
        state.entries = empty
    }
}
