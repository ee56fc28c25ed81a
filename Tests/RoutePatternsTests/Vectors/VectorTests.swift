import RoutePatterns
import RouteVectors
import Testing

/// The routing vectors, case by case. The advisory ones hold as well, so none is let off.
@Suite struct VectorTests {
    @Test(arguments: VectorFile.cases(of: .roots))
    func aFilterOfRootsAnswersAsTheVectorsSay(vector: VectorCase) { expectHolds(vector) }

    @Test(arguments: VectorFile.cases(of: .waapprouting))
    func aPatternOfWAAppRoutingAnswersAsTheVectorsSay(vector: VectorCase) { expectHolds(vector) }

    @Test(arguments: VectorFile.cases(of: .aasa))
    func anAppleAppSiteAssociationAnswersAsTheVectorsSay(vector: VectorCase) { expectHolds(vector) }

    @Test(arguments: VectorFile.cases(of: .rootsConnect))
    func rootsConnectsAsTheVectorsSay(vector: VectorCase) { expectHolds(vector) }

    @Test(arguments: VectorFile.cases(of: .assetlinksDynamic))
    func dynamicRulesAnswerAsTheVectorsSay(vector: VectorCase) { expectHolds(vector) }

    @Test func everyVectorIsThere() {
        let counts = VectorCase.Family.allCases.map { VectorFile.cases(of: $0).count }
        #expect(counts == [28, 50, 54, 10, 10])
    }

    private func expectHolds(_ vector: VectorCase) {
        #expect(vector.differences().isEmpty)
    }
}

extension VectorCase: CustomTestStringConvertible {
    public var testDescription: String { id }
}
