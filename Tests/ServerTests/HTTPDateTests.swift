import LindenKernel
import Testing

@Suite struct HTTPDateTests {
    /// The example of RFC 9110, the epoch, and the day after February 29.
    @Test(arguments: [
        (784_111_777, "Sun, 06 Nov 1994 08:49:37 GMT"), (0, "Thu, 01 Jan 1970 00:00:00 GMT"),
        (1_709_251_200, "Fri, 01 Mar 2024 00:00:00 GMT"),
    ])
    func aTimeIsWrittenAsHeadersHaveIt(second: Int64, text: String) {
        #expect(HTTPDate.text(second) == text)
    }
}
