import Testing

@testable import Dashboard

@Suite struct RecentAnswersTests {
    @Test func anAnswerThatTookLongIsGivenAgain() async throws {
        let answers = RecentAnswers(longTime: .zero)
        #expect(try await answers.answer(to: "clicks") { 1 } == 1)
        #expect(try await answers.answer(to: "clicks") { 2 } == 1)
        #expect(try await answers.answer(to: "installs") { 3 } == 3)
    }

    @Test func anAnswerThatTookAMomentIsReadEachTime() async throws {
        let answers = RecentAnswers(longTime: .seconds(60))
        #expect(try await answers.answer(to: "clicks") { 1 } == 1)
        #expect(try await answers.answer(to: "clicks") { 2 } == 2)
    }

    @Test func aFailureIsNotKept() async throws {
        struct Refusal: Error {}
        let answers = RecentAnswers(longTime: .zero)
        await #expect(throws: Refusal.self) { try await answers.answer(to: "clicks") { throw Refusal() } as Int }
        #expect(try await answers.answer(to: "clicks") { 1 } == 1)
    }
}
