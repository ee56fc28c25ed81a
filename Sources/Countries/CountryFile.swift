import CMaxMindDB
import Foundation

/// One open file, mapped into memory and only read, which any number of threads may do at once.
final class CountryFile: @unchecked Sendable {
    private let database: UnsafeMutablePointer<MMDB_s>

    /// Fails where there is no such file, where it is not in the format, and where it says nothing of countries.
    init(path: String) throws {
        let database = UnsafeMutablePointer<MMDB_s>.allocate(capacity: 1)
        let status = MMDB_open(path, UInt32(MMDB_MODE_MMAP), database)
        guard status == MMDB_SUCCESS else {
            database.deallocate()
            throw CountryFileError(String(cString: MMDB_strerror(status)))
        }
        self.database = database
        guard tellsCountries else { throw CountryFileError("it tells no countries") }
    }

    deinit {
        MMDB_close(database)
        database.deallocate()
    }

    func country(of address: [UInt8]) -> String? {
        switch address.count {
        case 4:
            var socket = sockaddr_in()
            socket.sin_family = sa_family_t(AF_INET)
            withUnsafeMutableBytes(of: &socket.sin_addr) { $0.copyBytes(from: address) }
            return withUnsafePointer(to: &socket) { $0.withMemoryRebound(to: sockaddr.self, capacity: 1, country(at:)) }
        case 16:
            var socket = sockaddr_in6()
            socket.sin6_family = sa_family_t(AF_INET6)
            withUnsafeMutableBytes(of: &socket.sin6_addr) { $0.copyBytes(from: address) }
            return withUnsafePointer(to: &socket) { $0.withMemoryRebound(to: sockaddr.self, capacity: 1, country(at:)) }
        default:
            return nil
        }
    }

    private func country(at address: UnsafePointer<sockaddr>) -> String? {
        var status = MMDB_SUCCESS
        let found = MMDB_lookup_sockaddr(database, address, &status)
        guard status == MMDB_SUCCESS, found.found_entry else { return nil }
        return Self.country(in: found.entry)
    }

    /// Where the address is used. Where its owner is registered is another thing, which sends satellites' users to the wrong page.
    private static func country(in entry: MMDB_entry_s) -> String? {
        var entry = entry
        var value = MMDB_entry_data_s()
        guard MMDB_get_value_within(&entry, &value, "country", "iso_code") == MMDB_SUCCESS, value.has_data,
            value.type == MMDB_DATA_TYPE_UTF8_STRING, value.data_size == 2, let text = value.utf8_string
        else { return nil }
        let code = String(decoding: UnsafeRawBufferPointer(start: text, count: 2), as: UTF8.self).uppercased()
        return code.utf8.allSatisfy { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0) } ? code : nil
    }

    /// Whether any of the first networks has a country. A file of network owners, or one that is damaged, would otherwise go unnoticed.
    private var tellsCountries: Bool {
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
                case MMDB_RECORD_TYPE_DATA where Self.country(in: entry) != nil: return true
                default: break
                }
            }
        }
        return false
    }
}
