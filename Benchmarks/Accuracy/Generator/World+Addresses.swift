import LindenKernel

/// The sender of a request. Safari's requests may use the private relay, an app's never do.
enum Asker {
    case browser(BrowserName)
    case app
}

extension World {
    /// Returns the address of a person's request. It depends on person, place and time, so two requests of one visit have the same address,
    /// unless the network uses any of several or both IP families are in use.
    func address(
        of person: Person, at place: Place, _ time: Timestamp, for asker: Asker, _ random: inout SeededRandom
    ) -> (SimulatedAddress, NetworkClass) {
        if case .browser(.safari) = asker, person.usesRelay { return (relay(person.region, &random), .relay) }
        if person.usesVPN, random.chance(Figures.vpnIsOn) { return (vpn(person, time), .vpn) }
        return switch place {
        case .home: (home(person, time, &random), .home)
        case .office(let number):
            (SimulatedAddress(v4: 0x0C00_0000 + UInt32(number) << 8 + 17 + slot(of: offices[number].egress, &random)), .office)
        case .hotspot(let number):
            (SimulatedAddress(v4: 0x3200_0000 + UInt32(number) << 8 + 9 + slot(of: hotspotEgress(number), &random)), .hotspot)
        case .cellular: (cellular(person, time, &random), .cellular)
        }
    }

    func dataCentre(_ random: inout SeededRandom) -> SimulatedAddress {
        SimulatedAddress(v4: 0x2200_0000 + UInt32(random.number(below: 1 << 20)))
    }

    private func slot(of egress: Int, _ random: inout SeededRandom) -> UInt32 {
        egress == 1 ? 0 : UInt32(random.number(below: egress))
    }

    private func hotspotEgress(_ number: Int) -> Int {
        Double(mixed(UInt64(number), 7) % 1000) < assumptions.egress * 1000 ? 3 : 1
    }

    /// One of the VPN providers' egress addresses, constant for some hours.
    private func vpn(_ person: Person, _ time: Timestamp) -> SimulatedAddress {
        let session = mixed(person.seed, UInt64(time.milliseconds) / UInt64(Figures.vpnSession.wholeMilliseconds))
        return SimulatedAddress(v4: 0x2D00_0000 + UInt32(session % UInt64(Figures.vpnAddresses)))
    }

    private func home(_ person: Person, _ time: Timestamp, _ random: inout SeededRandom) -> SimulatedAddress {
        let home = person.home
        let day = home.isRenumbered ? UInt64(time.day) : 0
        let site = mixed(UInt64(home.region.id) << 32 + UInt64(home.number), day)
        if home.hasIPv6, mix.serverHasIPv6, !random.chance(assumptions.otherFamily) {
            // Temporary addresses (RFC 8981): a new interface identifier each day, in the /64 that all of the home share.
            let network = 0x2601_0000_0000_0000 + UInt64(home.region.id) << 40 + site % (1 << 40)
            return SimulatedAddress(v6: network, host: mixed(person.seed, UInt64(time.day)))
        }
        // Spreads the homes that take part over their provider's block.
        let spacing = Int(1 / Figures.participation)
        let number = (home.number * spacing + Int(site % UInt64(spacing))) % (1 << 22)
        return SimulatedAddress(v4: 0x4400_0000 + UInt32(home.region.id) << 22 + UInt32(number))
    }

    private func cellular(_ person: Person, _ time: Timestamp, _ random: inout SeededRandom) -> SimulatedAddress {
        let lease = UInt64(Figures.cellularLease.wholeMilliseconds)
        let session = mixed(person.seed, (UInt64(time.milliseconds) + person.seed % lease) / lease)
        if person.hasCellularIPv6, mix.serverHasIPv6, !random.chance(assumptions.otherFamily) {
            return SimulatedAddress(v6: 0x2600_0000_0000_0000 + session % (1 << 44), host: session)
        }
        let slot = (person.gateway.isPaired ? session : random.next()) % UInt64(Figures.addressesPerGateway)
        let first = person.gateway.region.id << 16 + person.gateway.number * Figures.addressesPerGateway
        return SimulatedAddress(v4: 0xAEC0_0000 + UInt32(first) + UInt32(slot))
    }

    private func relay(_ region: Region, _ random: inout SeededRandom) -> SimulatedAddress {
        let slot = random.number(below: Figures.relayAddressesPerRegion)
        if mix.serverHasIPv6 {
            return SimulatedAddress(
                v6: Figures.relayIPv6 + UInt64(region.id) << 16 + UInt64(slot), host: random.next())
        }
        return SimulatedAddress(v4: Figures.relayIPv4 + UInt32(region.id) << 8 + UInt32(slot))
    }
}
