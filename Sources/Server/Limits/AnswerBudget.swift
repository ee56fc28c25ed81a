import HTTPTypes
import Hummingbird
import Linden
import LindenKernel
import NIOCore
import Synchronization

/// The budget of the memory of large answers while they are sent: of each app, and over all apps. An answer that its client does
/// not read holds its bytes until its connection is closed.
final class AnswerBudget: Sendable {
    private struct Answer {
        let bytes: Int
        /// Closes its connection; nil if it must not be cut.
        let cut: (@Sendable () -> Void)?
    }

    /// The answers of an app by their numbers, which say which is the oldest.
    private struct Answers {
        var bytes = 0
        var byNumber: [Int: Answer] = [:]

        func oldest(except number: Int) -> Int? { byNumber.filter { $0.key != number && $0.value.cut != nil }.keys.min() }
    }

    private struct Held {
        var total = 0
        var lastNumber = 0
        var byApp: [App.ID: Answers] = [:]

        mutating func remove(_ number: Int, of app: App.ID) -> Answer? {
            guard let answer = byApp[app]?.byNumber.removeValue(forKey: number) else { return nil }
            total -= answer.bytes
            byApp[app]?.bytes -= answer.bytes
            if byApp[app]?.byNumber.isEmpty == true { byApp[app] = nil }
            return answer
        }
    }

    private let answers: String
    private let perApp: Int
    private let overall: Int
    private let held = Mutex(Held())

    /// The maximum length of an answer in JSON.
    static let mostBytes = 8 << 20
    /// Answers up to this length are written at once and not counted here, but as unsent bytes of their connection.
    static let freeBytes = 64 << 10
    private static let wait = 5

    /// - Parameter answers: what the answers are, as the beginning of a sentence.
    init(
        of answers: String = "Large analytics answers", perApp: Int = 2 * AnswerBudget.mostBytes,
        overall: Int = 6 * AnswerBudget.mostBytes
    ) {
        self.answers = answers
        self.perApp = perApp
        self.overall = overall
    }

    /// Returns a body that is written in pages, as its client receives them. Fails with `rateLimited` if the app or all apps have used the
    /// budget. A file above the budget is admitted where it is the only one.
    func body(_ bytes: [UInt8], of app: App.ID) throws -> ResponseBody {
        let body = ResponseBody(parts: ByteBuffer(bytes: bytes))
        return bytes.count > Self.freeBytes ? body.holding(try hold(bytes.count, of: app)) : body
    }

    /// Returns a JSON response. Fails as ``body(_:of:)`` does.
    func json(_ bytes: [UInt8], of app: App.ID) throws -> Response {
        Response(
            status: .ok,
            headers: [
                .contentType: "application/json; charset=utf-8", .xContentTypeOptions: "nosniff", .cacheControl: "no-store",
            ], body: try body(bytes, of: app))
    }

    /// Holds bytes until the value ends. An app that holds none finds room beyond what all have, for one answer.
    ///
    /// - Parameters:
    ///   - isDone: whether what the answer is about has been done. It is not refused then: where there is no room, the oldest answers that are
    ///     still being received are cut, those of the app itself or of the app that holds most.
    ///   - cut: closes the answer's connection; nil if it must not be cut.
    func hold(_ count: Int, of app: App.ID, isDone: Bool = false, cut: (@Sendable () -> Void)? = nil) throws(Failure) -> Hold {
        let (number, others) = held.withLock { held -> (Int?, [Answer]) in
            let ofApp = held.byApp[app]?.bytes ?? 0
            let most = ofApp == 0 ? overall + perApp : overall
            let hasRoom = (ofApp == 0 || ofApp + count <= perApp) && (held.total == 0 || held.total + count <= most)
            guard hasRoom || isDone else { return (nil, []) }
            held.lastNumber += 1
            held.total += count
            held.byApp[app, default: Answers()].bytes += count
            held.byApp[app]?.byNumber[held.lastNumber] = Answer(bytes: count, cut: cut)
            return (held.lastNumber, hasRoom ? [] : makeRoom(for: held.lastNumber, of: app, in: &held))
        }
        for other in others { other.cut?() }
        guard let number else {
            throw Failure(
                .rateLimited,
                "\(answers) are still being received. Please receive them, or ask for less, and try again in "
                    + "\(Self.wait) s.",
                retryAfter: Self.wait)
        }
        return Hold { [self] in held.withLock { _ = $0.remove(number, of: app) } }
    }

    /// Removes answers until those of the app, and of all, are as few as allowed, as far as that is possible.
    private func makeRoom(for number: Int, of app: App.ID, in held: inout Held) -> [Answer] {
        var removed: [Answer] = []
        while true {
            let isOwn = (held.byApp[app]?.bytes ?? 0) > perApp
            guard isOwn || held.total > overall + perApp,
                let giving = isOwn ? app : held.byApp.max(by: { $0.value.bytes < $1.value.bytes })?.key,
                let oldest = held.byApp[giving]?.oldest(except: number), let answer = held.remove(oldest, of: giving)
            else { return removed }
            removed.append(answer)
        }
    }
}

extension ResponseBody {
    /// Creates a body that is written in parts, as its client receives them.
    init(parts bytes: ByteBuffer) {
        guard bytes.readableBytes > AnswerBudget.freeBytes else {
            self = bytes.readableBytes == 0 ? ResponseBody() : ResponseBody(byteBuffer: bytes)
            return
        }
        self.init(contentLength: bytes.readableBytes) { writer in
            var rest = bytes
            while let part = rest.readBytes(length: min(rest.readableBytes, AnswerBudget.freeBytes)), !part.isEmpty {
                // A copy, since a slice would hold all of the bytes until it is sent.
                try await writer.write(ByteBuffer(bytes: part))
            }
            try await writer.finish(nil)
        }
    }

    /// Returns the body with a hold that ends once it is written, or its client has left.
    func holding(_ slot: Hold) -> ResponseBody {
        ResponseBody(contentLength: contentLength) { writer in
            defer { slot.end() }
            try await self.write(writer)
        }
    }
}
