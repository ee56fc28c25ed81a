import Linden
import LindenKernel
import LindenTesting
import Testing

@Suite struct PublicIDsTests {
    private let ids = PublicIDs(key: InstallationKey(high: 0x0123_4567_89AB_CDEF, low: 0xFEDC_BA98_7654_3210))

    @Test(arguments: [1, 9, 10, 99, 12345, 100_000_000_000_000_000, 999_999_999_999_999_999, 1_000_000_000_000_000_000, Int64.max])
    func aShownIdHasAsManyDigitsAndLeadsBack(number: Int64) {
        let shown = ids.string(for: Click.ID(rawValue: number))
        #expect(shown.count == String(number).count)
        #expect(ids.id(for: shown, of: Click.self)?.rawValue == number)
    }

    @Test func neighboursShowNoOrderAndNoTwoAreAlike() {
        let first: Int64 = 249_737_408_155_746_304
        let shown = (0..<10_000).map { Int64(ids.string(for: Session.ID(rawValue: first + $0)))! }
        #expect(Set(shown).count == 10_000)
        let rising = zip(shown, shown.dropFirst()).count { $0 < $1 }
        // Half of random numbers are greater than their predecessor, give or take 50 (one standard deviation is 29 here).
        #expect((4850...5150).contains(rising))
        let nearest = zip(shown.sorted(), shown.sorted().dropFirst()).map { $1 - $0 }.min()!
        #expect(nearest > 1000)
    }

    @Test func anotherInstallationShowsOtherIds() {
        let others = PublicIDs(key: InstallationKey(high: 1, low: 2))
        let id = Session.ID(rawValue: 249_737_408_155_746_304)
        #expect(ids.string(for: id) != others.string(for: id))
    }

    @Test(arguments: ["", "x", "-5", "0", "00", "9223372036854775808", "99999999999999999999999", "١٢٣", "1.5", " 1"])
    func whatIsNoShownIdIsNone(text: String) {
        #expect(ids.id(for: text, of: Click.self) == nil)
    }

    @Test func aReferenceNamesItsKindAndRevealsNoCredential() {
        let number: Int64 = 249_737_408_155_746_304
        let (session, device) = (Session.ID(rawValue: number), Device.ID(rawValue: number))
        let reference = ids.reference(to: session)
        #expect(reference == "session_" + ids.referenceNumber(to: session))
        #expect(ids.reference(to: device).hasPrefix("device_"))
        #expect(ids.reference(to: Identity.ID(rawValue: number)).hasPrefix("identity_"))
        #expect(ids.id(named: reference, of: Session.self) == session)
        #expect(ids.id(named: ids.string(for: session), of: Session.self) == session)
        #expect(ids.id(named: reference, of: Device.self) == nil)
        #expect(ids.id(for: reference, of: Session.self) == nil)
        #expect(ids.id(for: ids.referenceNumber(to: session), of: Session.self) != session)
        #expect(ids.number(forSharedText: ids.referenceNumber(to: session)) != number)
    }

    @Test func theHashIsTheOneItsAuthorsPublished() {
        // SipHash-2-4 with key 00 01 … 0f of the eight bytes 00 01 … 07, from the authors' test vectors.
        let hash = SipHash(key0: 0x0706_0504_0302_0100, key1: 0x0F0E_0D0C_0B0A_0908)
        #expect(hash(0x0706_0504_0302_0100) == 0x93F5_F579_9A93_2462)
    }

    @Test func aKeyIsReadFromItsText() throws {
        let key = InstallationKey(high: 0x1F, low: 0)
        #expect(key.text == "000000000000001f0000000000000000")
        let read = try #require(InstallationKey(text: key.text))
        #expect((read.high, read.low) == (key.high, key.low))
    }
}

@Suite struct IDGeneratorTests {
    private let generator = IDGenerator()
    private let now = Timestamp(milliseconds: 1_800_000_000_000)

    @Test func idsRiseAndTellTheirTime() throws {
        generator.lease = .init(node: 7, until: now + .seconds(60))
        let ids = try (0..<10_000).map { try generator.next(at: now + .milliseconds($0 / 5000)) }
        #expect(zip(ids, ids.dropFirst()).allSatisfy { $0 < $1 })
        #expect(IDGenerator.time(of: ids[0]) == now)
        #expect(String(ids[0]).count == 18)
    }

    @Test func aClockThatGoesBackMakesNoOlderId() throws {
        generator.lease = .init(node: 7, until: now + .seconds(60))
        let first = try generator.next(at: now)
        #expect(try generator.next(at: now - .seconds(3600)) > first)
    }

    @Test func noIdIsMadeWithoutALeaseOrBeyondIt() {
        #expect(throws: Failure.self) { try generator.next(at: now) }
        generator.lease = .init(node: 7, until: now)
        #expect(throws: Failure.self) { try generator.next(at: now + .milliseconds(1)) }
    }
}
