import CMaxMindDB

/// A kind of value that a file in MaxMind's format holds for networks, and how to read it from an entry.
package struct NetworkFact<Value: Sendable>: Sendable {
    /// The plural noun for error messages, such as "countries".
    package let name: String
    let read: @Sendable (MMDB_entry_s) -> Value?
}

extension NetworkFact<String> {
    /// The country in which a network is used, as an upper-case ISO 3166 code of two letters; in GeoLite2-Country and GeoLite2-City. Not
    /// the country where the network's owner is registered (`registered_country`), which would misplace users of satellite networks.
    package static let country = NetworkFact(name: "countries") { entry in
        guard let value = value(in: entry, "country", "iso_code"), value.type == MMDB_DATA_TYPE_UTF8_STRING, value.data_size == 2,
            let text = value.utf8_string
        else { return nil }
        let code = String(decoding: UnsafeRawBufferPointer(start: text, count: 2), as: UTF8.self).uppercased()
        return code.utf8.allSatisfy { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0) } ? code : nil
    }
}

extension NetworkFact<UInt32> {
    /// The number of the autonomous system to which a network belongs; in GeoLite2-ASN and GeoIP2-ISP.
    package static let owner = NetworkFact(name: "network owners") { entry in
        guard let value = value(in: entry, "autonomous_system_number"), value.type == MMDB_DATA_TYPE_UINT32 else { return nil }
        return value.uint32
    }
}

private func value(in entry: MMDB_entry_s, _ key: String, _ inner: String? = nil) -> MMDB_entry_data_s? {
    var entry = entry
    var value = MMDB_entry_data_s()
    guard MMDB_get_value_within(&entry, &value, key, inner) == MMDB_SUCCESS, value.has_data else { return nil }
    return value
}
