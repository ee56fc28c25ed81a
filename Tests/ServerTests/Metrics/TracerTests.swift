import LindenKernel
import Testing

@testable import Traces

/// Which requests are traced, and what is kept of them.
@Suite struct TracerTests {
    private static let caller = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7"

    @Test func aCallerThatMayDecideDecides() throws {
        let trace = try #require(Tracer(share: 0).begin(Self.caller + "-01"))
        #expect(trace.context.traceID == "4bf92f3577b34da6a3ce929d0e0e4736" && trace.parent == "00f067aa0ba902b7")
        #expect(trace.context.spanID != trace.parent && trace.context.spanID.count == 16)
        #expect(Tracer(share: 1).begin(Self.caller + "-00") == nil)
    }

    @Test(arguments: [
        "", "x", "00-4bf9-00f0-01", "ff-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01",
        "00-00000000000000000000000000000000-00f067aa0ba902b7-01", "00-4BF92F3577B34DA6A3CE929D0E0E4736-00f067aa0ba902b7-01",
        "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01-more",
    ])
    func aHeaderOfAnotherFormDecidesNothing(header: String) throws {
        #expect(Tracer(share: 0).begin(header) == nil)
        let trace = try #require(Tracer(share: 1).begin(header))
        #expect(trace.parent == nil && trace.context.traceID.count == 32)
    }

    @Test func aShareOfTheOthersIsTraced() {
        let tracer = Tracer(share: 0.25)
        let traced = (0..<4000).count { _ in tracer.begin(nil) != nil }
        #expect((800...1200).contains(traced))
    }

    @Test func spansBeyondTheMostAreDroppedAndCounted() {
        let tracer = Tracer(share: 1)
        let context = TraceContext.new()
        for _ in 0..<Tracer.mostWaiting + 3 { tracer.record(Span("x", context: context, parent: nil, from: 1, to: 2)) }
        let taken = tracer.take()
        #expect(taken.spans.count == Tracer.mostWaiting && taken.dropped == 3)
        #expect(tracer.take().spans.isEmpty)
    }
}
