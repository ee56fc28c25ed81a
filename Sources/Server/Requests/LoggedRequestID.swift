import HTTPTypes
import Synchronization

/// The id of a request in the request log: what a trusted proxy names it by the header `X-Request-Id`, otherwise by the trace id of
/// `traceparent` (W3C Trace Context), otherwise one of 16 hexadecimal digits that no other request of this process has.
enum LoggedRequestID: Sendable, CustomStringConvertible {
    case named(String)
    case numbered(UInt64)

    /// Ignores values of another form, because the id is written to the log.
    init(requestID: String? = nil, traceParent: String? = nil) {
        let name = requestID.flatMap { Self.isValid($0) ? $0 : nil } ?? traceParent.flatMap(Self.traceID)
        self = name.map(Self.named) ?? .numbered(Self.next())
    }

    var description: String {
        switch self {
        case .named(let name): name
        case .numbered(let number):
            String(unsafeUninitializedCapacity: Self.digits) { bytes in
                Self.write(number, to: bytes)
                return Self.digits
            }
        }
    }

    /// The number of digits of an id without a name.
    static let digits = 16

    /// Writes an id without a name to the beginning of a buffer. The log does so for each visit, without a string.
    static func write(_ number: UInt64, to bytes: UnsafeMutableBufferPointer<UInt8>) {
        for index in 0..<digits {
            let digit = UInt8(truncatingIfNeeded: number >> UInt64(60 - 4 * index)) & 0xF
            bytes[index] = digit < 10 ? UInt8(ascii: "0") + digit : UInt8(ascii: "a") + digit - 10
        }
    }

    private static let longest = 64

    private static func isValid(_ id: String) -> Bool {
        (1...longest).contains(id.utf8.count)
            && id.utf8.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                    UInt8(ascii: "0")...UInt8(ascii: "9"),
                    UInt8(ascii: "-"), UInt8(ascii: "_"), UInt8(ascii: "."):
                    true
                default: false
                }
            }
    }

    /// Returns the second of the four or more fields, 32 hexadecimal digits in lower case which are not all zero.
    private static func traceID(_ header: String) -> String? {
        let bytes = Array(header.utf8.prefix(55))
        let isDash = { (index: Int) in bytes[index] == UInt8(ascii: "-") }
        guard bytes.count == 55, isDash(2), isDash(35), isDash(52) else { return nil }
        let id = bytes[3..<35]
        guard id.allSatisfy(isHexadecimal), id.contains(where: { $0 != UInt8(ascii: "0") }) else { return nil }
        return String(decoding: id, as: UTF8.self)
    }

    private static func isHexadecimal(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains(byte)
    }

    // MARK: New ids

    private static let count = Atomic<UInt64>(0)
    private static let start = UInt64.random(in: .min ... .max)

    /// Returns a new id. Each number is mixed by a permutation (SplitMix64), so no two are equal.
    private static func next() -> UInt64 {
        var mixed = start &+ (count.wrappingAdd(1, ordering: .relaxed).newValue &* 0x9E37_79B9_7F4A_7C15)
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}

extension HTTPField.Name {
    static let requestID = HTTPField.Name("X-Request-Id")!
    static let traceParent = HTTPField.Name("traceparent")!
}
