/// A line of the request log while it is put together, in memory of the caller's: appending each of its texts to an array takes more than twice as
/// long.
struct RequestLogLine: ~Copyable {
    /// The longest line has some 400 bytes: a request id has 64 at most, and a route is the program's own.
    static let capacity = 1024

    private let start: UnsafeMutablePointer<UInt8>
    private var count = 0

    /// - Parameter memory: of ``capacity`` bytes.
    init(in memory: UnsafeMutableBufferPointer<UInt8>) {
        precondition(memory.count >= Self.capacity)
        start = memory.baseAddress!
    }

    var bytes: UnsafeBufferPointer<UInt8> { UnsafeBufferPointer(start: start, count: count) }

    mutating func add(_ text: String) {
        var text = text
        text.withUTF8 { add($0) }
    }

    /// Cheaper than a string, whose bytes may have to be copied first.
    mutating func add(literal text: StaticString) {
        add(UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
    }

    mutating func add(_ id: LoggedRequestID) {
        switch id {
        case .named(let name): add(name)
        case .numbered(let number):
            guard count + LoggedRequestID.digits <= Self.capacity else { return }
            LoggedRequestID.write(number, to: UnsafeMutableBufferPointer(start: start + count, count: LoggedRequestID.digits))
            count += LoggedRequestID.digits
        }
    }

    /// What does not fit is cut off.
    mutating func add(_ bytes: UnsafeBufferPointer<UInt8>) {
        let fitting = min(bytes.count, Self.capacity - count)
        guard fitting > 0, let source = bytes.baseAddress else { return }
        (start + count).update(from: source, count: fitting)
        count += fitting
    }

    /// Adds a number that is not negative, with this many digits or more.
    mutating func add(_ number: Int, digits: Int = 1) {
        var (length, rest) = (1, number / 10)
        while rest > 0 || length < digits {
            rest /= 10
            length += 1
        }
        guard count + length <= Self.capacity else { return }
        rest = number
        for index in stride(from: count + length - 1, through: count, by: -1) {
            start[index] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest % 10)
            rest /= 10
        }
        count += length
    }
}
