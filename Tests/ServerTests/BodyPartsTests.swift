import Testing

/// Bodies in chunks, behind the real parser.
@Suite struct BodyPartsTests {
    private static let head = "POST /v1/event HTTP/1.1\r\nHost: go.example.com\r\nTransfer-Encoding: chunked\r\n\r\n"

    @Test func theChunksOfOneReadAreOnePart() throws {
        let connection = try ParsedConnection()
        connection.send(Self.head + chunks(of: "pear", times: 250) + "0\r\n\r\n")
        let parts = try connection.bodyParts()
        #expect(parts == [String(repeating: "pear", count: 250)])
    }

    @Test func theChunksOfTwoReadsAreTwoPartsInTheirOrder() throws {
        let connection = try ParsedConnection()
        connection.send(Self.head + chunks(of: "pear", times: 2))
        connection.send(chunks(of: "fig", times: 3) + "0\r\n\r\n")
        let parts = try connection.bodyParts()
        #expect(parts == ["pearpear", "figfigfig"])
    }

    @Test func aBodyInOnePartStaysOne() throws {
        let connection = try ParsedConnection()
        connection.send("POST / HTTP/1.1\r\nHost: go.example.com\r\nContent-Length: 4\r\n\r\npear")
        let parts = try connection.bodyParts()
        #expect(parts == ["pear"])
    }

    /// A body in chunks of one byte.
    private func chunks(of text: String, times: Int) -> String {
        String(repeating: text.map { "1\r\n\($0)\r\n" }.joined(), count: times)
    }
}
