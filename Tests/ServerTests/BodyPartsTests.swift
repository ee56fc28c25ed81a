import Testing

/// Bodies in chunks, behind the real parser.
@Suite struct BodyPartsTests {
    private static let head = "POST /v1/event HTTP/1.1\r\nHost: go.example.com\r\nTransfer-Encoding: chunked\r\n\r\n"

    @Test func theChunksOfOneReadAreOnePart() throws {
        let connection = try ParsedConnection()
        connection.send(Self.head + chunks(of: "pear", times: 240) + "0\r\n\r\n")
        let parts = try connection.bodyParts()
        #expect(parts == [String(repeating: "pear", count: 240)])
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

    @Test func aConnectionWhoseBodyComesInCountlessTinyChunksIsClosed() throws {
        let connection = try ParsedConnection()
        connection.send(Self.head + chunks(of: "pear", times: 300))
        #expect(!connection.isOpen)
    }

    @Test func tinyChunksAreCountedOverAllBodiesOfAConnection() throws {
        let connection = try ParsedConnection()
        for _ in 0..<2 { connection.send(Self.head + chunks(of: "pear", times: 200) + "0\r\n\r\n") }
        #expect(!connection.isOpen)
    }

    @Test func smallBodiesInOnePieceAreReceivedHoweverMany() throws {
        let connection = try ParsedConnection()
        for _ in 0..<1200 {
            connection.send("POST / HTTP/1.1\r\nHost: go.example.com\r\nContent-Length: 4\r\n\r\npear")
            try connection.answer()
        }
        #expect(connection.isOpen)
        #expect(try connection.bodyParts().count == 1200)
    }

    @Test func aBodyInManyChunksOfFairSizeIsReceived() throws {
        let connection = try ParsedConnection()
        let chunk = String(repeating: "p", count: 64)
        connection.send(Self.head + String(repeating: "40\r\n\(chunk)\r\n", count: 1200) + "0\r\n\r\n")
        // Other connections have their turn meanwhile.
        connection.wait(1)
        #expect(connection.isOpen)
        #expect(try connection.bodyParts().joined().count == 64 * 1200)
    }

    /// A body in chunks of one byte.
    private func chunks(of text: String, times: Int) -> String {
        String(repeating: text.map { "1\r\n\($0)\r\n" }.joined(), count: times)
    }
}
