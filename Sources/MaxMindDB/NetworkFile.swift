import CMaxMindDB
import Foundation

/// An open database file, mapped into memory. Read-only after `init`, so threads may look up addresses concurrently.
final class NetworkFile<Value: Sendable>: @unchecked Sendable {
    private let fact: NetworkFact<Value>
    private let database: UnsafeMutablePointer<MMDB_s>

    /// Opens the file. Throws ``NetworkFileError`` if it is missing, is not in the format, or has no value of `fact`.
    init(path: String, of fact: NetworkFact<Value>) throws {
        let database = UnsafeMutablePointer<MMDB_s>.allocate(capacity: 1)
        let status = MMDB_open(path, UInt32(MMDB_MODE_MMAP), database)
        guard status == MMDB_SUCCESS else {
            database.deallocate()
            throw NetworkFileError(String(cString: MMDB_strerror(status)))
        }
        self.database = database
        self.fact = fact
        guard tellsFact else { throw NetworkFileError("it tells no \(fact.name)") }
    }

    deinit {
        MMDB_close(database)
        database.deallocate()
    }

    func value(of address: [UInt8]) -> Value? {
        switch address.count {
        case 4:
            var socket = sockaddr_in()
            socket.sin_family = sa_family_t(AF_INET)
            withUnsafeMutableBytes(of: &socket.sin_addr) { $0.copyBytes(from: address) }
            return withUnsafePointer(to: &socket) { $0.withMemoryRebound(to: sockaddr.self, capacity: 1, value(at:)) }
        case 16:
            var socket = sockaddr_in6()
            socket.sin6_family = sa_family_t(AF_INET6)
            withUnsafeMutableBytes(of: &socket.sin6_addr) { $0.copyBytes(from: address) }
            return withUnsafePointer(to: &socket) { $0.withMemoryRebound(to: sockaddr.self, capacity: 1, value(at:)) }
        default:
            return nil
        }
    }

    private func value(at address: UnsafePointer<sockaddr>) -> Value? {
        var status = MMDB_SUCCESS
        let found = MMDB_lookup_sockaddr(database, address, &status)
        guard status == MMDB_SUCCESS, found.found_entry else { return nil }
        return fact.read(found.entry)
    }

    /// Whether the file holds a value of the fact, searched in at most 10,000 nodes of its tree. Detects files of another kind and damaged
    /// files, which would otherwise answer every lookup with nil.
    private var tellsFact: Bool {
        var nodes: [UInt32] = [0]
        for _ in 0..<10_000 {
            var node = MMDB_search_node_s()
            guard let number = nodes.popLast(), MMDB_read_node(database, number, &node) == MMDB_SUCCESS else { return false }
            let records = [
                (node.right_record_type, node.right_record, node.right_record_entry),
                (node.left_record_type, node.left_record, node.left_record_entry),
            ]
            for (type, record, entry) in records {
                switch Int32(type) {
                case MMDB_RECORD_TYPE_SEARCH_NODE: nodes.append(UInt32(record))
                case MMDB_RECORD_TYPE_DATA where fact.read(entry) != nil: return true
                default: break
                }
            }
        }
        return false
    }
}
