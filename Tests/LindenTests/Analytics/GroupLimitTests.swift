import LindenKernel
import Testing

@testable import LindenReporting

@Suite struct GroupLimitTests {
    @Test func theRowsOfAResultAreBoundedInMemory() throws {
        var limit = GroupLimit()
        let row = Array(repeating: "pear", count: 16)
        // Each row takes 32 bytes, and each value 16 besides its text.
        let most = (32 << 20) / (32 + 16 * 20)
        for number in 1...most { try limit.check(number, after: number - 1, adding: [row]) }
        #expect(throws: Failure.self) { try limit.check(most + 1, after: most, adding: [row]) }
    }
}
