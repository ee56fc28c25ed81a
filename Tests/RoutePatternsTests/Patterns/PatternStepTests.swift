import RoutePatterns
import Testing

/// Steps are tried at 64 positions at once; here one after another.
@Suite struct PatternStepTests {
    @Test(arguments: 0..<20 as Range<UInt64>)
    func longTextsMatchWhatAMatcherOfSinglePositionsMatches(seed: UInt64) throws {
        var dice = SeededGenerator(seed: seed)
        var matched = 0
        for _ in 0..<300 {
            let steps = (0..<Int.random(in: 1...6, using: &dice)).map { _ in step(&dice) }
            let pattern = try WildcardPattern(steps.map(WildcardPattern.Element.step))
            // Around the ends of words, and far from them.
            let length = [0, 1, 62, 63, 64, 65, 127, 128, 129, 200].randomElement(using: &dice)!
            let text = (0..<length).map { _ in letters.randomElement(using: &dice, mostly: "a") }
            let expected = matches(steps[...], text[...])
            if expected { matched += 1 }
            #expect(pattern.matches(String(String.UnicodeScalarView(text))) == expected, "\(steps) of \(text.count)")
        }
        #expect(matched > 20)
    }

    @Test(arguments: [62, 63, 64, 65, 127, 128, 129, 1000])
    func whatAParameterCapturesMayBeLong(length: Int) throws {
        let name = String(repeating: "cox", count: length / 3) + "€"
        let format = try RootsFormat("app://{kind}/user/{name}/end")
        #expect(format.parameters(in: "app://a/user/\(name)/end", anchored: true) == ["kind": "a", "name": name])
        #expect(format.parameters(in: "xx app://a/user/\(name)/end/more") == ["kind": "a", "name": name])
        #expect(format.parameters(in: "app://a/user/\(name)/en") == nil)
    }

    private let letters: [Unicode.Scalar] = ["a", "b", "7", "Q", "é"]

    private func step(_ dice: inout SeededGenerator) -> PatternStep {
        let classes: [ScalarClass] = [
            .any, .exactly("a"), .exactly("b"), .exactly("é"), .exactly("z"), .alpha, .upper, .lower, .alnum, .digit, .xdigit,
        ]
        let accepted = classes.randomElement(using: &dice)!
        return switch Int.random(in: 0..<5, using: &dice) {
        case 0: .one(accepted)
        case 1: .optional(accepted)
        case 2: .run
        default: .many(accepted, .most)
        }
    }

    /// Whether steps match a whole text, by the positions that they reach from the first on.
    private func matches(_ steps: ArraySlice<PatternStep>, _ text: ArraySlice<Unicode.Scalar>) -> Bool {
        var reached: Set<Int> = [0]
        for step in steps {
            var next: Set<Int> = []
            for position in reached {
                switch step {
                case .one(let accepted):
                    if position < text.count, accepted.contains(text[position]) { next.insert(position + 1) }
                case .optional(let accepted):
                    next.insert(position)
                    if position < text.count, accepted.contains(text[position]) { next.insert(position + 1) }
                case .many(let accepted, _):
                    var end = position
                    while end < text.count, accepted.contains(text[end]) {
                        end += 1
                        next.insert(end)
                    }
                case .run: next.formUnion(position...text.count)
                }
            }
            reached = next
        }
        return reached.contains(text.count)
    }
}

extension [Unicode.Scalar] {
    fileprivate func randomElement(using dice: inout SeededGenerator, mostly usual: Unicode.Scalar) -> Unicode.Scalar {
        Int.random(in: 0..<10, using: &dice) == 0 ? randomElement(using: &dice)! : usual
    }
}
