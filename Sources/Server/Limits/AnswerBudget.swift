import HTTPTypes
import Hummingbird
import Linden
import LindenKernel
import NIOCore
import Synchronization

/// The budget of the memory of large answers while they are sent: of each app, and over all apps. An answer that its client does
/// not read holds its bytes until its connection is closed.
final class AnswerBudget: Sendable {
    private struct Held {
        var total = 0
        var byApp: [App.ID: Int] = [:]
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
    /// - Parameter mayExceed: whether the bytes are counted, but never refused: what the answer is about has been done.
    func hold(_ count: Int, of app: App.ID, mayExceed: Bool = false) throws(Failure) -> Hold {
        let isHeld = held.withLock { held -> Bool in
            let ofApp = held.byApp[app, default: 0]
            let most = ofApp == 0 ? overall + perApp : overall
            let hasRoom = (ofApp == 0 || ofApp + count <= perApp) && (held.total == 0 || held.total + count <= most)
            guard hasRoom || mayExceed else { return false }
            held.byApp[app] = ofApp + count
            held.total += count
            return true
        }
        guard isHeld else {
            throw Failure(
                .rateLimited,
                "\(answers) are still being received. Please receive them, or ask for less, and try again in "
                    + "\(Self.wait) s.",
                retryAfter: Self.wait)
        }
        return Hold { [self] in giveBack(count, of: app) }
    }

    private func giveBack(_ count: Int, of app: App.ID) {
        held.withLock { held in
            held.byApp[app] = held.byApp[app].flatMap { $0 > count ? $0 - count : nil }
            held.total -= count
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
