import LindenKernel
import Testing

@Suite struct PhoneNumberTests {
    @Test(arguments: [
        ("+49 (151) 1234-567", "+491511234567"), ("0049 151 1234567", "+491511234567"), ("555.010/0000", "5550100000"),
        ("+1\u{A0}555 010 0000", "+15550100000"),
    ])
    func separatorsAreLeftOut(written: String, text: String) throws {
        #expect(try PhoneNumber(written).text == text)
    }

    /// A letter may be hundreds of bytes, whose comparison takes long.
    @Test(arguments: [
        "", "12345", "1234567890123456", "+0151 1234567", "pears", "1234567" + String(repeating: " ", count: 60),
        String(repeating: "\u{958}", count: 21_000), "1" + String(repeating: "\u{301}", count: 100_000),
    ])
    func anythingElseIsInvalid(written: String) {
        #expect(throws: Failure.self) { try PhoneNumber(written) }
    }
}
