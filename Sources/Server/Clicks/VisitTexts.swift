import LindenKernel
import LinkRouting
import NIOCore
import Synchronization

/// A cache of what is derived from header values that repeat. Each event loop has one, which only that loop uses.
final class VisitTexts: @unchecked Sendable {
    private var hosts = RepeatedTexts<String>()
    private var languages = RepeatedTexts<String?>()

    /// See ``URLParts/hostAndPort(_:)``.
    func host(of authority: String) -> String {
        hosts.value(for: authority) { URLParts.hostAndPort($0).host }
    }

    /// See ``Language/primary(_:)``.
    func language(of accepted: String) -> String? {
        languages.value(for: accepted) { Language.primary($0) }
    }

    /// The caches of the event loops of a server.
    final class OfLoops: Sendable {
        private let caches = Mutex<[ObjectIdentifier: VisitTexts]>([:])

        func texts(of eventLoop: any EventLoop) -> VisitTexts {
            let id = ObjectIdentifier(eventLoop)
            return caches.withLock { caches in
                if let known = caches[id] { return known }
                let new = VisitTexts()
                caches[id] = new
                return new
            }
        }
    }
}

/// A cache of values by short ASCII texts, which are compared by their bytes. If two texts have the same place, the newer one
/// replaces the older.
struct RepeatedTexts<Value> {
    private struct Entry {
        let text: String
        let value: Value
    }

    private var entries: [Entry?] = Array(repeating: nil, count: RepeatedTexts.places)

    private static var places: Int { 64 }
    private static var longest: Int { 256 }

    /// Returns the value of a text, by `derive` if it is not cached.
    mutating func value(for text: String, _ derive: (String) -> Value) -> Value {
        guard let place = Self.place(of: text) else { return derive(text) }
        if let entry = entries[place], entry.text == text { return entry.value }
        let value = derive(text)
        entries[place] = Entry(text: text, value: value)
        return value
    }

    /// Returns the place of a text; nil for one that is not cached. Texts beyond ASCII are not, since strings may be equal whose bytes are not.
    private static func place(of text: String) -> Int? {
        guard text.utf8.count <= longest else { return nil }
        var hash: UInt32 = 0
        var bits: UInt8 = 0
        for byte in text.utf8 {
            hash = (hash ^ UInt32(byte)) &* 0x0100_0193
            bits |= byte
        }
        return bits < 0x80 ? Int(hash >> 16) % places : nil
    }
}
