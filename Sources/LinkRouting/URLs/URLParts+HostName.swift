extension URLParts {
    /// Whether the host could be a name or an address: neither `evil.example%2F.good.example` nor `evil.example[.good.example` is a subdomain
    /// of `good.example`.
    var hasHostName: Bool {
        let bytes = host.utf8
        if bytes.first == UInt8(ascii: "[") {
            let address = bytes.dropFirst().dropLast()
            return bytes.last == UInt8(ascii: "]") && address.allSatisfy { Hex.value(of: $0) != nil || ":.".utf8.contains($0) }
        }
        return !host.isEmpty && bytes.first != UInt8(ascii: ".") && !host.hasBytes(of: "..")
            && host.unicodeScalars.allSatisfy { scalar in
                guard scalar.isASCII else { return scalar.properties.isAlphabetic }
                switch scalar {
                case "a"..."z", "A"..."Z", "0"..."9", "-", ".", "_": return true
                default: return false
                }
            }
    }
}
