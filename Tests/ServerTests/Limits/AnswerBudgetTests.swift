import HTTPTypes
import Hummingbird
import Linden
import LindenKernel
import LindenTesting
import NIOCore
import Synchronization
import Testing

@testable import Server

/// The memory of large analytics answers that are being sent.
@Suite struct AnswerBudgetTests {
    private let orchard = App.ID(rawValue: 1)
    private let garden = App.ID(rawValue: 2)
    private let field = App.ID(rawValue: 3)

    @Test func answersThatAreNotReadUseUpTheShareOfTheirAppAndThenThatOfAll() throws {
        let budget = AnswerBudget(perApp: 100, overall: 250)
        var slots = [try budget.hold(60, of: orchard), try budget.hold(40, of: orchard)]
        let failure = #expect(throws: Failure.self) { try budget.hold(1, of: orchard) }
        #expect(failure?.retryAfter == 5)
        #expect(failure?.message.contains("still being received") == true)
        slots.append(try budget.hold(100, of: garden))
        slots.append(try budget.hold(50, of: field))
        #expect(throws: Failure.self, "the sum over all apps") { try budget.hold(1, of: field) }
        try budget.hold(100, of: App.ID(rawValue: 4)).end()
        #expect(throws: Failure.self, "there is room for one more app") { try budget.hold(101, of: App.ID(rawValue: 4)) }
        try budget.hold(1000, of: field, isDone: true).end()
        slots[0].end()
        slots.append(try budget.hold(50, of: orchard))
        slots.removeAll()
        slots.append(try budget.hold(200, of: orchard))
        #expect(slots.count == 1, "one that is larger than the share is sent alone")
    }

    @Test func anAnswerAboutWhatIsDoneCutsTheOldestOnesOfItsApp() throws {
        let budget = AnswerBudget(perApp: 100, overall: 250)
        let cut = Mutex<[Int]>([])
        let other = try budget.hold(90, of: garden) { cut.withLock { $0.append(0) } }
        var slots: [Hold] = []
        for number in 1...5 {
            slots.append(try budget.hold(40, of: orchard, isDone: true) { cut.withLock { $0.append(number) } })
        }
        #expect(cut.withLock { $0 } == [1, 2, 3])
        #expect(throws: Failure.self, "80 are held") { try budget.hold(30, of: orchard) }
        slots.removeFirst(3)
        #expect(throws: Failure.self, "what was cut is not given back twice") { try budget.hold(30, of: orchard) }
        slots.removeAll()
        try budget.hold(100, of: orchard).end()
        other.end()
    }

    @Test func whereTheAnswersOfManyAppsAreTooManyThoseOfTheAppThatHasMostAreCut() throws {
        let budget = AnswerBudget(perApp: 100, overall: 100)
        let cut = Mutex<[Int64]>([])
        var slots: [Hold] = []
        for (number, bytes) in [(1, 50), (2, 90), (3, 60), (4, 50)] as [(Int64, Int)] {
            slots.append(
                try budget.hold(bytes, of: App.ID(rawValue: number), isDone: true) { cut.withLock { $0.append(number) } })
        }
        #expect(cut.withLock { $0 } == [2])
        #expect(slots.count == 4)
    }

    @Test func aLargeAnswerIsHeldUntilItIsWritten() async throws {
        let budget = AnswerBudget(perApp: 250_000, overall: 250_000)
        let bytes = (0..<200_000).map { UInt8(truncatingIfNeeded: $0) }
        let body = try budget.body(bytes, of: orchard)
        #expect(body.contentLength == bytes.count)
        #expect(throws: Failure.self) { try budget.hold(60_000, of: orchard) }
        let writer = PageWriter()
        try await body.write(writer)
        #expect(writer.pages.map(\.readableBytes) == [65_536, 65_536, 65_536, 3392])
        #expect(writer.pages.flatMap { Array($0.readableBytesView) } == bytes)
        try budget.hold(250_000, of: orchard).end()
    }

    @Test func anAnswerThatIsNeverSentHoldsNothing() throws {
        let budget = AnswerBudget(perApp: 250_000, overall: 250_000)
        var body: ResponseBody? = try budget.body([UInt8](repeating: 7, count: 200_000), of: orchard)
        #expect(body?.contentLength == 200_000)
        body = nil
        try budget.hold(250_000, of: orchard).end()
    }

    @Test func smallAnswersAreNotCounted() throws {
        let budget = AnswerBudget(perApp: 100, overall: 100)
        for _ in 0..<3 { #expect(try budget.body([UInt8](repeating: 7, count: 65_536), of: orchard).contentLength == 65_536) }
        try budget.hold(100, of: orchard).end()
    }
}

/// Collects the buffers of a body as they are written.
private final class PageWriter: ResponseBodyWriter, Sendable {
    private let written = Mutex<[ByteBuffer]>([])

    var pages: [ByteBuffer] { written.withLock { $0 } }

    func write(_ buffer: ByteBuffer) async throws { written.withLock { $0.append(buffer) } }

    func finish(_ trailingHeaders: HTTPFields?) async throws {}
}
