import LindenKernel

/// A read-write transaction, as far as the content of links and events needs it.
package protocol ObjectTransaction: ObjectRepository, SnapshotReader, IDSource {}

/// Merges descriptions of universal objects within one transaction. Reads an object once, and only if a description of it may change it;
/// writes it once if it changed.
struct ObjectMerger {
    private struct Known {
        var object: UniversalObject
        /// Nil until the object is changed, since it takes as long as serialising the object.
        private(set) var sizes: MemberSizes?
        var isChanged = false

        init(_ object: UniversalObject) {
            self.object = object
        }

        /// Merges a description. The first authenticated description replaces the data of unauthenticated callers, which may be wrong in
        /// any part.
        mutating func merge(_ described: JSONObject, isAuthenticated: Bool) {
            guard isAuthenticated || !object.isAuthenticated else { return }
            if isAuthenticated, !object.isAuthenticated {
                object.isAuthenticated = true
                object.data = described
                sizes = MemberSizes(described, limit: UniversalObject.largestData)
                isChanged = true
                return
            }
            let changes = described.filter { key, value in object.data[key] != value }
            guard !changes.isEmpty else { return }
            var sizes = self.sizes ?? MemberSizes(object.data, limit: UniversalObject.largestData)
            let admitted = sizes.admitted(of: changes)
            self.sizes = sizes
            for (key, value) in admitted { object.data[key] = value }
            isChanged = isChanged || !admitted.isEmpty
        }
    }

    private let transaction: any ObjectTransaction
    private let scope: Scope
    /// The objects read so far, by the bytes of their identifiers, as the database compares them.
    private var known: [[UInt8]: Known] = [:]
    private let budget: Int
    /// The size of the stored data read so far, about in bytes.
    private(set) var read = 0
    /// The size in bytes of the objects created since the last ``write()``.
    private var created = 0

    /// - Parameter budget: the maximum size of stored data to read, about in bytes. Objects above it are not changed.
    init(_ transaction: any ObjectTransaction, in scope: Scope, budget: Int = .max) {
        self.transaction = transaction
        self.scope = scope
        self.budget = budget
    }

    /// Merges a description into an object, key by key, as far as there is room; creates the object if it is new. Changes are stored by
    /// ``write()``.
    ///
    /// - Parameter isAuthenticated: whether the app itself sent the description, see ``UniversalObject/isAuthenticated``.
    mutating func save(_ description: ObjectDescription, isAuthenticated: Bool) throws -> UniversalObject.ID {
        let key = Array(description.identifier.utf8)
        if let id = known[key]?.object.id {
            known[key]?.merge(description.data, isAuthenticated: isAuthenticated)
            return id
        }
        guard let status = try transaction.objectStatus(description.identifier, in: scope, comparedTo: description.text) else {
            return try insert(description, key, isAuthenticated)
        }
        guard read < budget, !status.isKept(isAuthenticated: isAuthenticated),
            let object = try transaction.object(status.id)
        else { return status.id }
        read += status.length
        var entry = Known(object)
        entry.merge(description.data, isAuthenticated: isAuthenticated)
        known[key] = entry
        return object.id
    }

    private mutating func insert(
        _ description: ObjectDescription, _ key: [UInt8], _ isAuthenticated: Bool
    ) throws -> UniversalObject.ID {
        let object = UniversalObject(
            id: try transaction.newID(), scope: scope, canonicalIdentifier: description.identifier, data: description.data,
            isAuthenticated: isAuthenticated)
        try transaction.insert(object, data: description.text, at: transaction.now)
        known[key] = Known(object)
        // The identifier is stored in the row and in its index.
        created += UniversalObject.rowBytes + description.text.utf8.count + 2 * key.count
        return object.id
    }

    /// Stores the changed objects.
    ///
    /// - Returns: the number of bytes stored, of changed and of new objects.
    mutating func write() throws -> Int {
        var bytes = created
        created = 0
        for (key, entry) in known where entry.isChanged {
            try transaction.update(entry.object, at: transaction.now)
            known[key]?.isChanged = false
            bytes += entry.sizes?.total ?? 0
        }
        return bytes
    }
}
