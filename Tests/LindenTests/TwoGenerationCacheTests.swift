import LindenKernel
import Testing

@Suite struct TwoGenerationCacheTests {
    @Test func anEntryInUseStaysAndOthersAreEvicted() {
        var cache = TwoGenerationCache<Int, String>(capacity: 10)
        cache.insert("used", for: -1)
        for number in 0..<100 {
            cache.insert("n", for: number)
            let found = [cache.value(for: -1), cache.value(for: number)]
            #expect(found == ["used", "n"])
            #expect(cache.cost <= 10)
        }
        let first = cache.value(for: 0)
        #expect(first == nil)
    }

    @Test func aFullCacheKeepsTheNewerHalf() {
        var cache = TwoGenerationCache<Int, Int>(capacity: 10)
        for number in 0..<11 { cache.insert(number, for: number) }
        let kept = (0..<11).filter { cache.value(for: $0) != nil }
        #expect(kept == [5, 6, 7, 8, 9, 10])
    }

    @Test func costsAreThoseOfTheEntriesThatAreCached() {
        var cache = TwoGenerationCache<String, Int>(capacity: 100)
        cache.insert(1, for: "a", cost: 40)
        cache.insert(2, for: "a", cost: 30)
        let replaced = cache.value(for: "a")
        #expect(replaced == 2 && cache.cost == 30)
        cache.insert(3, for: "b", cost: 40)
        #expect(cache.cost == 70)
        cache.insert(4, for: "large", cost: 51)
        let large = cache.value(for: "large")
        #expect(large == nil && cache.cost == 70)
        cache.remove("a")
        cache.remove("b")
        let removed = cache.value(for: "b")
        #expect(removed == nil && cache.cost == 0)
    }

    @Test func theCostOfACachedValueMayGrow() {
        var cache = TwoGenerationCache<String, Int>(capacity: 100)
        cache.insert(1, for: "a", cost: 20)
        cache.addCost(25, to: "a")
        cache.addCost(10, to: "b")
        let kept = cache.value(for: "a")
        #expect(kept == 1 && cache.cost == 45)
        cache.addCost(6, to: "a")
        let large = cache.value(for: "a")
        #expect(large == nil && cache.cost == 0)
    }

    @Test func aValueThatMayBeMissingIsCachedAsSuch() {
        var cache = TwoGenerationCache<String, Int?>(capacity: 10)
        cache.insert(nil, for: "a")
        let (missing, unknown) = (cache.value(for: "a"), cache.value(for: "b"))
        #expect(missing == .some(nil))
        #expect(unknown == nil)
    }
}
