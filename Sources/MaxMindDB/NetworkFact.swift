import CMaxMindDB

/// Something that a file says of networks.
package struct NetworkFact<Value: Sendable>: Sendable {
    /// What the file tells, in the plural.
    package let name: String
    let read: @Sendable (MMDB_entry_s) -> Value?
}

extension NetworkFact<String> {
    /// The country that a network is used in, by an ISO 3166 code of two letters, upper case: in GeoLite2-Country and GeoLite2-City. Where
    /// its owner is registered is another thing, which sends satellites' users to the wrong page.
    package static let country = NetworkFact(name: "countries") { entry in
        guard let value = value(in: entry, "country", "iso_code"), value.type == MMDB_DATA_TYPE_UTF8_STRING, value.data_size == 2,
            let text = value.utf8_string
        else { return nil }
        let code = String(decoding: UnsafeRawBufferPointer(start: text, count: 2), as: UTF8.self).uppercased()
        return code.utf8.allSatisfy { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0) } ? code : nil
    }
}

extension NetworkFact<UInt32> {
    /// The autonomous system that a network belongs to, by its number: in GeoLite2-ASN and GeoIP2-ISP.
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
