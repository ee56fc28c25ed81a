import Linden
import LindenKernel
import Testing

@testable import Dashboard

@Suite struct RecentAnswersTests {
    private let scope = Scope(app: App.ID(rawValue: 1), mode: .live)

    @Test func anAnswerThatTookLongIsGivenAgain() async throws {
        let answers = RecentAnswers(longTime: .zero) { _ in true }
        #expect(try await answers.answer(to: "clicks", of: scope) { 1 } == 1)
        #expect(try await answers.answer(to: "clicks", of: scope) { 2 } == 1)
        #expect(try await answers.answer(to: "installs", of: scope) { 3 } == 3)
        #expect(try await answers.answer(to: "clicks", of: Scope(app: App.ID(rawValue: 1), mode: .test)) { 4 } == 4)
    }

    @Test func anAnswerThatTookAMomentIsReadEachTime() async throws {
        let answers = RecentAnswers(longTime: .seconds(60)) { _ in true }
        #expect(try await answers.answer(to: "clicks", of: scope) { 1 } == 1)
        #expect(try await answers.answer(to: "clicks", of: scope) { 2 } == 2)
    }

    @Test func anAnswerAboutASmallAppIsReadEachTimeHoweverLongItTook() async throws {
        let answers = RecentAnswers(longTime: .zero) { _ in false }
        #expect(try await answers.answer(to: "clicks", of: scope) { 1 } == 1)
        #expect(try await answers.answer(to: "clicks", of: scope) { 2 } == 2)
    }

    @Test func aFailureIsNotKept() async throws {
        struct Refusal: Error {}
        let answers = RecentAnswers(longTime: .zero) { _ in true }
        await #expect(throws: Refusal.self) { try await answers.answer(to: "clicks", of: scope) { throw Refusal() } as Int }
        #expect(try await answers.answer(to: "clicks", of: scope) { 1 } == 1)
    }
}
