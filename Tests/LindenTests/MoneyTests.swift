import Foundation
import LindenKernel
import LindenTesting
import Testing

@Suite struct MoneyTests {
    private static let amounts: [(text: String, millionths: Int64)] = [
        ("12.70", 12_700_000), ("0", 0), ("-3", -3_000_000), ("+3.5", 3_500_000), ("1e3", 1_000_000_000), (".5", 500_000),
        ("5.", 5_000_000), ("0.0000005", 1), ("0.0000004", 0), ("12.699999999999999289", 12_700_000), ("1E-6", 1), ("1e-9999", 0),
        ("0000000000000000000000001.5", 1_500_000), ("0e9999", 0), ("10000000000", 10_000_000_000_000_000),
        ("1000000000000", 1_000_000_000_000_000_000), ("-1e12", -1_000_000_000_000_000_000),
        ("999999999999.999999", 999_999_999_999_999_999),
    ]

    @Test(arguments: amounts)
    func anAmountIsExactToTheMillionth(text: String, millionths: Int64) throws {
        #expect(try Money(text).millionths == millionths)
    }

    @Test(arguments: [
        "", "abc", "1,5", "1 2", "NaN", "inf", "0x10", "--1", "1e", ".", "1.2.3", "٣", "1e99999", "€5", "1e-9223372036854775808",
        "1e+",
    ])
    func whatIsNoNumberIsNoAmount(text: String) {
        #expect(throws: Money.ParseError.malformed) { try Money(text) }
    }

    @Test(arguments: ["1000000000000.000001", "9999999999999", "1e13", "-1e300", "99999999999999999999999999"])
    func moreThanAMillionMillionIsTooMuch(text: String) {
        #expect(throws: Money.ParseError.tooLarge) { try Money(text) }
    }

    @Test func anAmountIsWrittenWithoutNeedlessDigits() {
        #expect(
            [12_700_000, 0, -500_000, 1, 3_000_000].map { Money(millionths: $0).text } == ["12.7", "0", "-0.5", "0.000001", "3"])
    }

    /// Compares with an independent implementation of 38-digit arithmetic.
    @Test func anyAmountIsWhatDecimalArithmeticSaysItIs() throws {
        var dice = Dice(seed: 7)
        for _ in 0..<2000 {
            let text = "\(Int64.random(in: -9_999_999...9_999_999, using: &dice)).\(Int64.random(in: 0...99_999_999, using: &dice))"
            var exact = try #require(Decimal(string: text)) * 1_000_000
            var rounded = Decimal()
            NSDecimalRound(&rounded, &exact, 0, .plain)
            #expect(try Money(text).millionths == Int64(rounded.description), "\(text)")
        }
    }

    @Test func aProductIsRoundedAndNeverTooLarge() throws {
        #expect(try Money("1").times(Decimal(string: "0.3333333")!)?.text == "0.333333")
        #expect(Money.largest.times(2) == nil)
        #expect(Money.largest.times(Decimal(string: "1e100")!) == nil)
        // The products are the smallest number of 64 bits, which has no positive counterpart, and its neighbours.
        #expect(try Money("-576460752303.423488").times(16) == nil)
        #expect(Money(millionths: .min / 2).times(2) == nil)
        #expect(Money(millionths: 1).times(Decimal(Int64.max)) == nil)
    }

    /// Adds the two parts separately, as counters do.
    @Test func aSumIsExactHoweverManyAmountsItHasAndOfWhateverSign() {
        var dice = Dice(seed: 8)
        var (sum, thousands, millionths) = (MoneySum(), Int64(0), Int64(0))
        for number in 0..<2000 {
            let amount =
                number % 3 == 0
                ? Money.largest : Money(millionths: Int64.random(in: -999_999_999_999...999_999_999_999, using: &dice))
            sum += MoneySum(amount)
            let parts = MoneySum(amount).parts
            #expect((0..<1_000_000_000).contains(parts.millionths))
            (thousands, millionths) = (thousands + parts.thousands, millionths + parts.millionths)
        }
        #expect(MoneySum(thousands: thousands, millionths: millionths) == sum)
        #expect(sum.millionths > Int128(Int64.max))
        sum += -sum
        #expect(sum == MoneySum())
    }

    @Test(arguments: [0, 1, -1, 999_999_999, 1_000_000_000, -1_000_000_000, 1_000_000_001, -1_000_000_001] as [Int128])
    func aSumIsItsTwoParts(millionths: Int128) {
        let parts = MoneySum(millionths: millionths).parts
        #expect(MoneySum(thousands: parts.thousands, millionths: parts.millionths).millionths == millionths)
    }

    @Test func aSumBeyondSixtyFourBitsIsWrittenWhole() {
        #expect(MoneySum(millionths: 12_000_000_000_000_500_000).text == "12000000000000.5")
        #expect(MoneySum(millionths: -12_000_000_000_000_500_000).text == "-12000000000000.5")
    }
}
