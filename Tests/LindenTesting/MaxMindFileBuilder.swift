import Foundation
import LindenKernel

/// Builds small files in MaxMind's format (https://maxmind.github.io/MaxMind-DB/): a tree of networks, their entries, and metadata.
package struct MaxMindFileBuilder {
    package indirect enum Value: Hashable {
        case text(String)
        case number16(UInt16)
        case number32(UInt32)
        case number64(UInt64)
        case texts([String])
        case map([String: Value])

        /// An entry in the format of GeoLite2-Country.
        package static func country(_ code: String) -> Value {
            .map(["country": .map(["iso_code": .text(code), "names": .map(["en": .text("Land")])])])
        }

        /// An entry in the format of GeoLite2-ASN.
        package static func owner(_ number: UInt32) -> Value {
            .map(["autonomous_system_number": .number32(number), "autonomous_system_organization": .text("Owner")])
        }
    }

    private enum Record {
        case empty
        case node(Int)
        /// The offset of the entry in the data section.
        case entry(Int)
    }

    private let hasIPv6: Bool
    private var nodes: [[Record]] = [[.empty, .empty]]
    private var data: [UInt8] = []

    package init(hasIPv6: Bool = true) {
        self.hasIPv6 = hasIPv6
    }

    /// - Parameter countries: codes by network, such as `203.0.113.0/24`. Networks must not overlap.
    package static func bytes(_ countries: [String: String], hasIPv6: Bool = true) -> [UInt8] {
        var builder = MaxMindFileBuilder(hasIPv6: hasIPv6)
        for (network, code) in countries { builder.insert(network, .country(code)) }
        return builder.bytes
    }

    package mutating func insert(_ network: String, _ entry: Value) {
        let parts = network.split(separator: "/")
        var address = ClientAddress(parts[0])!.bytes
        var length = Int(parts[1])!
        if hasIPv6, address.count == 4 {
            address = Array(repeating: 0, count: 12) + address
            length += 96
        }
        var node = 0
        for bit in 0..<length {
            let side = Int(address[bit / 8] >> UInt8(7 - bit % 8) & 1)
            if bit == length - 1 {
                nodes[node][side] = .entry(data.count)
            } else if case .node(let next) = nodes[node][side] {
                node = next
            } else {
                nodes.append([.empty, .empty])
                nodes[node][side] = .node(nodes.count - 1)
                node = nodes.count - 1
            }
        }
        data += Self.encoded(entry)
    }

    package var bytes: [UInt8] {
        let tree = nodes.flatMap { $0 }.flatMap { record -> [UInt8] in
            let number =
                switch record {
                case .empty: nodes.count
                case .node(let number): number
                case .entry(let offset): nodes.count + 16 + offset
                }
            return [UInt8(number >> 16), UInt8(number >> 8 & 0xFF), UInt8(number & 0xFF)]
        }
        let about: [String: Value] = [
            "binary_format_major_version": .number16(2), "binary_format_minor_version": .number16(0),
            "build_epoch": .number64(1_800_000_000), "database_type": .text("Test"), "description": .map([:]),
            "ip_version": .number16(hasIPv6 ? 6 : 4), "languages": .texts(["en"]), "node_count": .number32(UInt32(nodes.count)),
            "record_size": .number16(24),
        ]
        return tree + Array(repeating: 0, count: 16) + data + [0xAB, 0xCD, 0xEF] + Array("MaxMind.com".utf8)
            + Self.encoded(.map(about))
    }

    private static func encoded(_ value: Value) -> [UInt8] {
        switch value {
        case .text(let text): head(2, text.utf8.count) + Array(text.utf8)
        case .number16(let number): number.bytes(type: 5)
        case .number32(let number): number.bytes(type: 6)
        case .number64(let number): number.bytes(type: 9)
        case .texts(let texts): head(11, texts.count) + texts.flatMap { encoded(.text($0)) }
        case .map(let members): head(7, members.count) + members.flatMap { encoded(.text($0.key)) + encoded($0.value) }
        }
    }

    /// The control byte of type and size. Types from 8 on are in a second byte; sizes from 29 on put the excess in another.
    fileprivate static func head(_ type: UInt8, _ size: Int) -> [UInt8] {
        precondition(size < 29 + 256)
        let short = UInt8(min(size, 29))
        return (type < 8 ? [type << 5 | short] : [short, type - 7]) + (size < 29 ? [] : [UInt8(size - 29)])
    }
}

extension FixedWidthInteger {
    fileprivate func bytes(type: UInt8) -> [UInt8] {
        MaxMindFileBuilder.head(type, Self.bitWidth / 8) + withUnsafeBytes(of: bigEndian) { Array($0) }
    }
}
