import LindenKernel
import Testing

@testable import LindenReporting

@Suite struct GroupLimitTests {
    @Test func theRowsOfAResultAreBoundedInMemory() throws {
        var limit = GroupLimit()
        let row = GroupValues(Array(repeating: "pear", count: 15) + [String(repeating: "x", count: 100)])
        // Each row takes 200 bytes, each value 16, and a long text 48 besides its characters.
        let most = (40 << 20) / (200 + 16 * 16 + 148)
        for number in 1...most { try limit.check(number, after: number - 1, adding: [row]) }
        #expect(throws: Failure.self) { try limit.check(most + 1, after: most, adding: [row]) }
    }
}
