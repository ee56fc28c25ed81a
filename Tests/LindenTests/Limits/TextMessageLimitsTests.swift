import Testing

@testable import Linden
@testable import LindenKernel
@testable import LindenServices

@Suite struct TextMessageLimitsTests {
    private let limits = TextMessageLimits()
    private let now = Timestamp(milliseconds: 1_800_000_000_000)

    @Test(arguments: ["2001:db8:1:%::7", "203.0.113.%"])
    func theAddressesOfOneSiteShareFourTimesTheLimitOfAnAddress(pattern: String) throws {
        let addresses = (0..<30).map { pattern.replacing("%", with: String($0)) }
        #expect(try (0..<30).filter { try isAllowed(phone: $0, from: addresses[$0]) }.count == 20)
        #expect(try isAllowed(phone: 100, from: "198.51.100.1"))
    }

    @Test func oneAddressMayRequestFiveAnHour() throws {
        #expect(try (0..<10).filter { try isAllowed(phone: $0, from: "203.0.113.7") }.count == 5)
    }

    /// A gateway that refuses numbers, or is slow, could be asked without end.
    @Test func aMessageThatWasNotSentCountsForItsPhoneAndItsAddress() throws {
        for number in 0..<10 {
            let phone = try PhoneNumber("+1555010\(2000 + number / 5)")
            let address = try #require(ClientAddress("203.0.113.\(number)"))
            let place = try? limits.take(phone: phone, address: address, app: App.ID(rawValue: 1), at: now)
            if let place { limits.giveBack(place) }
            #expect((place != nil) == (number % 5 < 3), "a phone may be asked for three an hour")
        }
        for number in 10..<20 {
            let phone = try PhoneNumber("+1555010\(2000 + number)")
            let address = try #require(ClientAddress("198.51.100.7"))
            let place = try? limits.take(phone: phone, address: address, app: App.ID(rawValue: 1), at: now)
            if let place { limits.giveBack(place) }
            #expect((place != nil) == (number < 15))
        }
    }

    @Test func unknownAddressesShareNoLimit() throws {
        #expect(try (0..<30).filter { try isAllowed(phone: $0, from: nil) }.count == 30)
    }

    private func isAllowed(phone number: Int, from address: String?) throws -> Bool {
        let phone = try PhoneNumber("+1555010\(1000 + number)")
        let address = address.flatMap { ClientAddress($0) } ?? .unknown
        do {
            _ = try limits.take(phone: phone, address: address, app: App.ID(rawValue: 1), at: now)
            return true
        } catch let failure as Failure where failure.code == .rateLimited {
            return false
        }
    }
}
