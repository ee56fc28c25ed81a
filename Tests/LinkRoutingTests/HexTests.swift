import LinkRouting
import Testing

@Suite struct HexTests {
    @Test func eachByteHasTwoDigitsAndIsDecodedFromThem() {
        let bytes = Array(UInt8.min...UInt8.max)
        #expect(Hex.encode([0, 9, 16, 171, 255]) == "000910abff")
        #expect(Hex.decode(Hex.encode(bytes)) == bytes)
        #expect(Hex.decode("0aFf") == [10, 255])
        #expect(Hex.decode("") == [])
    }

    @Test(arguments: ["a", "abc", "0g", "+1", "0x", " 1", "é"])
    func aTextOfOtherCharactersOrAnOddNumberOfDigitsIsRefused(text: String) {
        #expect(Hex.decode(text) == nil)
    }

    @Test(arguments: [(UInt64.min, "0000000000000000"), (0x1_0A, "000000000000010a"), (UInt64.max, "ffffffffffffffff")])
    func aNumberHasSixteenDigits(number: UInt64, digits: String) {
        #expect(Hex.encode(number) == digits)
    }
}
