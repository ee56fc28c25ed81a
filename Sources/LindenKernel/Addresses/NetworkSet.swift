/// A set of networks with look-up in logarithmic time; designed for hundreds of thousands of networks.
package struct NetworkSet: Sendable {
    /// Sorted, disjoint ranges, by the number of bytes in an address.
    private let ranges: [Int: [ClosedRange<UInt128>]]

    /// Creates a set from networks in any order, which may overlap.
    package init(_ networks: [Network]) {
        ranges = Dictionary(grouping: networks, by: \.byteCount).mapValues { networks in
            networks.map(\.range).sorted { $0.lowerBound < $1.lowerBound }.reduce(into: []) { merged, next in
                if let last = merged.last, last.upperBound >= next.lowerBound {
                    merged[merged.count - 1] = last.lowerBound...max(last.upperBound, next.upperBound)
                } else {
                    merged.append(next)
                }
            }
        }
    }

    package var isEmpty: Bool { ranges.isEmpty }

    package func contains(_ address: ClientAddress) -> Bool {
        guard let ranges = ranges[address.bytes.count] else { return false }
        let number = address.number
        // Invariant: ranges before `low` begin at or before the address, ranges from `high` on begin after it.
        var (low, high) = (0, ranges.count)
        while low < high {
            let middle = (low + high) / 2
            if ranges[middle].lowerBound <= number { low = middle + 1 } else { high = middle }
        }
        return low > 0 && ranges[low - 1].upperBound >= number
    }
}

extension NetworkSet {
    /// Parses a list of networks: one per line, such as `172.224.224.0/31`, optionally followed by a comma and further columns, which are
    /// ignored, as are blank lines and comments after `#`. Apple publishes the networks of iCloud Private Relay in this form
    /// (https://mask-api.icloud.com/egress-ip-ranges.csv).
    ///
    /// Fails with `invalid` and the number of the first malformed line, or if there is no network at all.
    package init(list: some Collection<UInt8>) throws {
        var networks: [Network] = []
        let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]
        let lines = list.dropFirst(list.starts(with: byteOrderMark) ? byteOrderMark.count : 0)
            .split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        for (index, line) in lines.enumerated() {
            let entry = line.prefix { $0 != UInt8(ascii: "#") }
            let isBlank = entry.allSatisfy { [UInt8(ascii: " "), UInt8(ascii: "\t"), UInt8(ascii: "\r")].contains($0) }
            if isBlank { continue }
            guard let network = Network(String(decoding: entry.prefix { $0 != UInt8(ascii: ",") }, as: UTF8.self)) else {
                throw Failure.invalid("line \(index + 1) must begin with a network such as 172.224.224.0/31 or 2a02:26f7::/64")
            }
            networks.append(network)
        }
        guard !networks.isEmpty else { throw Failure.invalid("it must hold at least one network such as 172.224.224.0/31") }
        self.init(networks)
    }
}

extension Network {
    /// The number of bytes in an address: 4 or 16.
    fileprivate var byteCount: Int { address.bytes.count }

    /// The range from the first to the last address.
    fileprivate var range: ClosedRange<UInt128> {
        let hostBits = byteCount * 8 - prefix
        let hosts: UInt128 = hostBits == 128 ? .max : 1 << UInt128(hostBits) - 1
        let first = address.number & ~hosts
        return first...(first | hosts)
    }
}
