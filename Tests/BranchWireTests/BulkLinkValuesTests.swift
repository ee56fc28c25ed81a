import BranchWire
import LindenKernel
import Testing

@Suite struct BulkLinkValuesTests {
    @Test func aThousandLinksOfMoreThanFiftyValuesEachAreRead() throws {
        let data = JSONObject((0..<50).map { (key: "a\($0)", value: JSON.integer(1)) })
        let links = JSON.array(Array(repeating: ["data": .object(data)], count: 1000))
        #expect(try BulkLinkRequest(bytes: links.bytes).items.count == 1000)
    }

    @Test func moreThanTwoHundredThousandValuesAreRefused() throws {
        let links = JSON.array([.array(Array(repeating: 1, count: 200_000))])
        let failure = #expect(throws: Failure.self) { try BulkLinkRequest(bytes: links.bytes) }
        #expect(failure?.code == .tooLarge)
        #expect(failure?.message.contains("at most 200000 JSON values") == true)
    }
}
