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

    @Test func twoSpellingsOfAQuestionAreTwo() async throws {
        let answers = RecentAnswers(longTime: .zero) { _ in true }
        #expect(try await answers.answer(to: "channel=caf\u{E9}", of: scope) { 1 } == 1)
        #expect(try await answers.answer(to: "channel=cafe\u{301}", of: scope) { 2 } == 2)
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

    @Test func theOldestAnswersAreForgottenIfAllTakeTooMuchMemory() async throws {
        let answers = RecentAnswers(longTime: .zero) { _ in true }
        func answer(_ text: String, _ value: Int, _ bytes: Int) async throws -> Int {
            try await answers.answer(to: text, of: scope, size: { _ in bytes }) { value }
        }
        for number in 1...3 { #expect(try await answer("question \(number)", number, 3 << 20) == number) }
        #expect(try await answer("question 1", 4, 3 << 20) == 4)
        #expect(try await answer("question 3", 5, 3 << 20) == 3)
        #expect(try await answer("too large", 6, 9 << 20) == 6)
        #expect(try await answer("too large", 7, 9 << 20) == 7)
        #expect(try await answer("question 3", 8, 3 << 20) == 3)
    }

    @Test func usersWhoWaitForTheSameAnswerGetTheOneThatTheFirstHasRead() async throws {
        let answers = RecentAnswers(longTime: .zero) { _ in true }
        let answer = try await answers.answer(
            to: "clicks", of: scope,
            inTurn: { read in
                // Meanwhile another one has read it.
                #expect(try await answers.answer(to: "clicks", of: scope) { 1 } == 1)
                return try await read()
            }
        ) { 2 }
        #expect(answer == 1)
    }

    @Test func aFailureIsNotKept() async throws {
        struct Refusal: Error {}
        let answers = RecentAnswers(longTime: .zero) { _ in true }
        await #expect(throws: Refusal.self) { try await answers.answer(to: "clicks", of: scope) { throw Refusal() } as Int }
        #expect(try await answers.answer(to: "clicks", of: scope) { 1 } == 1)
    }
}
