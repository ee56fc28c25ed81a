import LindenKernel
import Testing

/// What is kept of a stranger's JSON is bounded by what it costs to read: by its bytes, and by the number of its values.
@Suite struct MemberSizesTests {
    private static let samples: [(name: String, object: JSONObject, most: Int)] = [
        (name: "members", object: JSONObject((0..<300).map { (key: "m\($0)", value: JSON.integer(0)) }), most: 60),
        (name: "arrays in one", object: ["m": JSON.array(Array(repeating: [], count: 100)), "a": 1], most: 1),
        (name: "arrays in each other", object: ["m": (0..<100).reduce(JSON.null) { inner, _ in [inner] }, "a": 1], most: 1),
        (name: "a long text", object: ["m": .string(String(repeating: "x", count: 2048)), "a": 1], most: 1),
    ]

    @Test(arguments: samples) func whatIsKeptIsBounded(name: String, object: JSONObject, most: Int) {
        let kept = object.cut(to: 2048)
        #expect(kept.count <= most && !kept.isEmpty, "\(name): \(kept.count) of \(object.count)")
        #expect(kept.size <= 2048)
        #expect(kept.allSatisfy { object[$0.key] == $0.value })
    }

    @Test func whatFitsIsKeptWhole() {
        let object: JSONObject = [
            "variety": "Cox", "tags": ["red", "sweet"], "price": ["amount": .decimal("2.50"), "currency": "EUR"],
        ]
        #expect(object.cut(to: 2048) == object)
        // The JSON with a comma behind each member, and seven values.
        #expect(object.size == JSON.object(object).text.utf8.count + 1 + 7 * MemberSizes.valueBytes)
    }
}
