import LindenKernel
import Synchronization

/// The log of requests, one line each, collected in memory and written by a thread of its own: a reader that stalls delays no answer.
///
/// A line has what was asked for only as the pattern of its route. It has nothing of a person: no address, no user agent, no path, no query.
package final class RequestLog: Sendable {
    package enum Format: String, CaseIterable, Sendable {
        case text, json
    }

    /// A request with its answer.
    struct Entry {
        let id: LoggedRequestID
        let method: String
        let kind: RequestKind
        /// The pattern of the route; nil for none.
        let route: String?
        let status: Int
        /// The bytes of the answer's body; nil for a stream.
        let bytes: Int?
        let nanoseconds: Int64
    }

    fileprivate struct State {
        var lines: [UInt8] = []
        var dropped = 0
        /// The second whose time is written in `time`.
        var second: Int64 = -1
        var time: [UInt8] = []
    }

    /// The most bytes that wait to be written. Lines beyond it are dropped and counted.
    static let mostWaitingBytes = 8 << 20

    private let format: Format
    private let clock: WallClock
    private let state = Mutex(State())

    package init(format: Format, clock: WallClock = .system) {
        self.format = format
        self.clock = clock
    }

    /// The number of lines that were dropped since the start.
    package var dropped: Int { state.withLock(\.dropped) }

    /// Returns the lines since the last call, to be written.
    package func take() -> [UInt8] {
        state.withLock { state in
            defer { state.lines = [] }
            return state.lines
        }
    }

    /// Counts lines that could not be written.
    package func drop(_ lines: ArraySlice<UInt8>) {
        let count = lines.count { $0 == UInt8(ascii: "\n") }
        if count > 0 { state.withLock { $0.dropped += count } }
    }

    func add(_ entry: Entry) {
        let now = clock.now()
        state.withLock { state in
            guard state.lines.count < Self.mostWaitingBytes else {
                state.dropped += 1
                return
            }
            if state.second != now.seconds {
                state.second = now.seconds
                state.time.removeAll(keepingCapacity: true)
                now.writeSeconds(separator: "T", to: &state.time)
            }
            withUnsafeTemporaryAllocation(of: UInt8.self, capacity: RequestLogLine.capacity) { memory in
                var line = RequestLogLine(in: memory)
                switch format {
                case .text: line.addText(entry, time: state.time, at: now)
                case .json: line.addJSON(entry, time: state.time, at: now)
                }
                state.lines.append(contentsOf: line.bytes)
            }
        }
    }
}

extension RequestLogLine {
    /// - Parameter time: the second of `now`.
    fileprivate mutating func addText(_ entry: RequestLog.Entry, time: [UInt8], at now: Timestamp) {
        add(time, now)
        add(literal: " ")
        add(entry.id)
        add(literal: " ")
        add(entry.loggedMethod)
        add(literal: " ")
        add(entry.loggedRoute)
        add(literal: " ")
        add(entry.status)
        add(literal: " ")
        if let bytes = entry.bytes { add(bytes) } else { add(literal: "-") }
        add(literal: " ")
        addMilliseconds(entry.nanoseconds)
        add(literal: "ms\n")
    }

    /// No member needs escapes: ids and methods have only letters, digits and a few marks, and routes are the program's own.
    fileprivate mutating func addJSON(_ entry: RequestLog.Entry, time: [UInt8], at now: Timestamp) {
        add(literal: "{\"time\":\"")
        add(time, now)
        add(literal: "\",\"id\":\"")
        add(entry.id)
        add(literal: "\",\"method\":\"")
        add(entry.loggedMethod)
        add(literal: "\",\"kind\":\"")
        add(entry.kind.name)
        add(literal: "\",\"route\":\"")
        add(entry.loggedRoute)
        add(literal: "\",\"status\":")
        add(entry.status)
        add(literal: ",\"bytes\":")
        if let bytes = entry.bytes { add(bytes) } else { add(literal: "null") }
        add(literal: ",\"milliseconds\":")
        addMilliseconds(entry.nanoseconds)
        add(literal: "}\n")
    }

    private mutating func add(_ second: [UInt8], _ now: Timestamp) {
        second.withUnsafeBufferPointer { add($0) }
        add(literal: ".")
        add(Int(now.milliseconds - now.seconds * 1000), digits: 3)
        add(literal: "Z")
    }

    /// Adds a number of nanoseconds as milliseconds with three decimals.
    private mutating func addMilliseconds(_ nanoseconds: Int64) {
        let micros = Int(max(0, nanoseconds / 1000))
        add(micros / 1000)
        add(literal: ".")
        add(micros % 1000, digits: 3)
    }
}

extension RequestLog.Entry {
    /// A client may send any word as a method; words other than the usual ones could hold something about a person.
    fileprivate var loggedMethod: String { Self.logged(method: method) }

    static func logged(method: String) -> String {
        switch method {
        case "GET", "HEAD", "POST", "PUT", "DELETE", "OPTIONS", "PATCH": method
        default: "other"
        }
    }

    fileprivate var loggedRoute: String {
        switch route {
        case "/**"?: "/{link}"
        case let route?: route
        case nil: "-"
        }
    }
}
