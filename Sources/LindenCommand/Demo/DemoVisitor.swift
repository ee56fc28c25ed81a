import Linden
import LindenKernel

/// A person with a phone, who clicks links and perhaps uses the app.
struct DemoVisitor: Sendable {
    var phone: DemoCatalog.Phone
    let country: DemoCatalog.Country
    let address: ClientAddress
    var hardwareID: String

    /// What the SDK on the phone reports with each of its calls.
    var description: JSONObject {
        var members: JSONObject = [
            "os": .string(phone.os), "os_version": .string(phone.level ?? phone.version), "brand": .string(phone.brand),
            "model": .string(phone.model), "country": .string(country.code), "language": .string(country.language),
            "app_version": "2.4.1", "sdk": phone.os == "iOS" ? "ios3.14.0" : "android5.20.0", "environment": "FULL_APP",
            "hardware_id": .string(hardwareID), "is_hardware_id_real": true,
        ]
        if phone.level != nil { members["os_version_android"] = .string(phone.version) }
        return members
    }
}

/// A visitor who has installed the app.
struct DemoUser: Sendable {
    let visitor: DemoVisitor
    /// The developer's id of the user; nil for one who has not registered.
    let name: String?
    /// The tokens that the SDK has from its first session, and the last session.
    let device: String
    let identity: String
    var session: String

    var tokens: JSONObject {
        [
            "randomized_device_token": .string(device), "randomized_bundle_token": .string(identity),
            "session_id": .string(session),
        ]
    }
}

/// The people of the demo. Each has an address of the networks for benchmarks (RFC 2544); a few share one.
struct DemoPeople {
    private var count = 0

    /// Returns a new person.
    mutating func next(_ random: inout SeededRandom) -> DemoVisitor {
        count += 1
        let index = DemoCatalog.countries.index(&random)
        let isShared = random.happens(inThousand: 30)
        let number = isShared ? random.roll(Self.sharedAddresses) : Self.sharedAddresses + count
        return DemoVisitor(
            phone: DemoCatalog.phones.draw(&random), country: DemoCatalog.countries.elements[index],
            address: Self.address(number, in: index), hardwareID: Self.uuid(&random))
    }

    /// Returns a new person with another phone of the same system, at the same address.
    func neighbour(of visitor: DemoVisitor, _ random: inout SeededRandom) -> DemoVisitor {
        var neighbour = visitor
        repeat {
            neighbour.phone = DemoCatalog.phones.draw(&random)
        } while neighbour.phone.os != visitor.phone.os
            || neighbour.phone.version == visitor.phone.version
        neighbour.hardwareID = Self.uuid(&random)
        return neighbour
    }

    /// The addresses of networks that many people share, such as those of an office.
    private static let sharedAddresses = 3
    private static let firstNetwork = 18

    /// Returns an address of a country: each has a block of its own.
    private static func address(_ number: Int, in country: Int) -> ClientAddress {
        let block = country * 32 + number / 256 % 32
        return ClientAddress("198.\(firstNetwork + block / 256).\(block % 256).\(number % 256)") ?? .unknown
    }

    /// The country of an address that ``next(_:)`` assigns; nil for others.
    static func country(of address: ClientAddress) -> String? {
        let bytes = address.bytes
        guard bytes.count == 4, bytes[0] == 198, bytes[1] == firstNetwork else { return nil }
        let index = Int(bytes[2]) / 32
        return DemoCatalog.countries.elements.indices.contains(index) ? DemoCatalog.countries.elements[index].code : nil
    }

    private static func uuid(_ random: inout SeededRandom) -> String {
        UUIDText.format(high: random.next() | 1 << 63, low: random.next() | 1 << 63)
    }
}
