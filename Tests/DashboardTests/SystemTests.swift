import LindenKernel
import Testing

/// Sizes and times of the system page.
@Suite struct SystemTests {
    @Test(
        arguments: [
            (0, "0 bytes"), (1023, "1023 bytes"), (1024, "1.0 KiB"), (1_600_000_000, "1.4 GiB"),
            (Int64.max, "8,388,607.9 TiB"),
        ] as [(Int64, String)])
    func sizesHaveAUnit(bytes: Int64, text: String) { #expect(bytes.asBytes == text) }

    @Test(
        arguments: [
            (59, "less than a minute"), (60, "1 minute"), (3 * 86_400 + 4 * 3600 + 59 * 60, "3 days 4 hours"), (86_400, "1 day"),
            (86_460, "1 day"), (7200 + 300, "2 hours 5 minutes"),
        ] as [(Int64, String)])
    func timesHaveTheirTwoLargestUnits(seconds: Int64, text: String) { #expect(seconds.asUptime == text) }
}
