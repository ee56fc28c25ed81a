import Linden
import LindenKernel
import LindenServices
import LindenTesting
import LinkRouting
import SQLStorage
import SQLiteStorage
import Testing

@Suite struct AddressDensityTests {
    private static let scope = Scope(app: Identifier(rawValue: 1), mode: .live)
    private static let office = "203.0.113.7"

    @Test func anUnseenAddressHasNoDevices() async throws {
        try await Installation.run { installation in
            let density = try await installation.density()
            #expect(density == AddressDensity())
        }
    }

    @Test func clicksAreCountedAndTheBrowsersAndKindsOfBrowserThatMadeThem() async throws {
        try await Installation.run { installation in
            let safari = Visitor(platform: .iOS, os: "iOS", osVersion: "18.6", browser: WebBrowser(.safari, version: "18.6"))
            var instagram = safari
            instagram.inAppBrowser = .instagram
            let chrome = Visitor(platform: .android, os: "Android", osVersion: "15", browser: WebBrowser(.chrome, version: "140"))
            // A browser that clicks twice, another of the same kind, an in-app browser, a phone of another kind, and a browser without a
            // cookie.
            for (visitor, browser) in [(safari, 1), (safari, 1), (safari, 2), (instagram, 3), (chrome, 4), (chrome, nil)] {
                try await installation.click(visitor, browser: browser)
            }

            #expect(try await installation.density() == AddressDensity(pendingClicks: 6, browsers: 5, browserKinds: 3))
        }
    }

    @Test func aClickThatAnInstallClaimedIsItsDevicesFromThenOn() async throws {
        try await Installation.run { installation in
            let click = try await installation.click(.iPhone, browser: 1)
            try await installation.storage.write { transaction in
                #expect(try transaction.claim(click.id))
                try transaction.record(
                    device: Device.ID(rawValue: 9), DeviceDescription(), from: Self.office, in: Self.scope, time: transaction.now)
            }

            #expect(try await installation.density() == AddressDensity(devices: 1))
        }
    }

    @Test func aDeviceCountsOnceHoweverOftenItComes() async throws {
        try await Installation.run { installation in
            for device in [7, 8, 7, 7] { try await installation.session(on: device) }

            #expect(try await installation.density() == AddressDensity(devices: 2))
        }
    }

    /// A kind is the model and OS version that a device last reported, the model in any case.
    @Test func devicesOfOneKindAreCountedApart() async throws {
        try await Installation.run { installation in
            let kind = DeviceDescription(os: "iOS", osVersion: "18.5", model: "iPhone15,4")
            func like(_ change: (inout DeviceDescription) -> Void) -> DeviceDescription {
                var description = kind
                change(&description)
                return description
            }
            try await installation.session(on: 1, kind)
            try await installation.session(on: 2, like { $0.model = "IPHONE15,4" })
            try await installation.session(on: 3, like { $0.model = nil })
            try await installation.session(on: 4, like { $0.model = "iPhone14,5" })
            try await installation.session(on: 5, like { $0.osVersion = "18.6" })
            try await installation.session(on: 6, like { $0.os = "Android" })
            try await installation.session(on: 7, kind, from: "203.0.113.8")
            try await installation.session(on: 8, like { $0.osVersion = "18.4" })
            try await installation.session(on: 8, kind)

            let alike = try await installation.storage.read { reader in
                try reader.devices(
                    like: .init(os: "iOS", osVersion: "18.5", model: "iPhone15,4"), at: [Self.office, ""], in: Self.scope,
                    since: reader.now, besides: Device.ID(rawValue: 1), limit: 9)
            }
            #expect(alike == 3)
        }
    }

    @Test func onlyTheSameAddressAppAndModeCount() async throws {
        try await Installation.run { installation in
            let test = Scope(app: Self.scope.app, mode: .test)
            let other = Scope(app: Identifier(rawValue: 2), mode: .live)
            try await installation.session(on: 1, from: "203.0.113.8")
            try await installation.click(.iPhone, browser: 1, address: "203.0.113.8")
            for scope in [test, other] {
                try await installation.session(on: 2, in: scope)
                try await installation.click(.iPhone, browser: 2, in: scope)
            }

            #expect(try await installation.density() == AddressDensity())
            #expect(
                try await installation.density(in: test)
                    == AddressDensity(pendingClicks: 1, browsers: 1, browserKinds: 1, devices: 1))
        }
    }

    @Test func whatIsOlderThanTheTimeAskedForDoesNotCount() async throws {
        try await Installation.run { installation in
            try await installation.session(on: 1)
            try await installation.session(on: 2)
            try await installation.click(.iPhone, browser: 1)
            installation.clock.advance(by: .seconds(600))
            try await installation.session(on: 2)
            try await installation.click(.iPhone, browser: 2)

            let recent = try await installation.density(within: .seconds(300))
            let all = try await installation.density(within: .seconds(600))

            #expect(recent == AddressDensity(pendingClicks: 1, browsers: 1, browserKinds: 1, devices: 1))
            #expect(all == AddressDensity(pendingClicks: 2, browsers: 2, browserKinds: 1, devices: 2))
        }
    }

    /// The limit applies to the rows read, including those that are too old to count.
    @Test func aLookUpEndsAtItsLimitAndSaysSo() async throws {
        try await Installation.run { installation in
            for number in 1...5 {
                try await installation.session(on: number)
                try await installation.click(.iPhone, browser: number)
            }

            #expect(
                try await installation.density(limit: 6)
                    == AddressDensity(pendingClicks: 5, browsers: 5, browserKinds: 1, devices: 5))
            let limited = try await installation.density(limit: 3)
            #expect(limited == AddressDensity(pendingClicks: 3, browsers: 3, browserKinds: 1, devices: 3, reachesLimit: true))
            installation.clock.advance(by: .seconds(60))
            #expect(try await installation.density(within: .seconds(1), limit: 3) == AddressDensity(reachesLimit: true))
        }
    }

    @Test func ofAnUnknownAddressNothingIsNoted() async throws {
        try await Installation.run { installation in
            try await installation.session(on: 1, from: "")

            #expect(try await installation.count("SELECT COUNT(*) FROM device_addresses") == 0)
            #expect(
                try await installation.storage.read {
                    try $0.density(of: [""], in: Self.scope, since: $0.now, besides: nil, limit: 9)
                } == AddressDensity())
        }
    }

    @Test func aDayLaterTheAddressesOfADeviceAreGone() async throws {
        try await Installation.run { installation in
            try await installation.session(on: 1)
            installation.clock.advance(by: .seconds(3600))
            try await installation.session(on: 2)

            installation.clock.advance(by: AddressDensity.memory - .seconds(3600))
            try await installation.services.maintenance.runOnce()
            #expect(try await installation.density(within: AddressDensity.memory).devices == 2)

            installation.clock.advance(by: .milliseconds(1))
            try await installation.services.maintenance.runOnce()
            #expect(try await installation.count("SELECT device_id FROM device_addresses") == 2)
            #expect(try await installation.count("SELECT COUNT(*) FROM device_addresses") == 1)
        }
    }

    @Test func noMoreIsForgottenInOneGoThanIsAskedFor() async throws {
        try await Installation.run { installation in
            for number in 1...5 {
                try await installation.session(on: number)
                installation.clock.advance(by: .milliseconds(1))
            }
            try await installation.storage.write { try $0.deleteDeviceAddresses(before: $0.now, limit: 3) }
            #expect(try await installation.count("SELECT COUNT(*) FROM device_addresses") == 2)
            #expect(try await installation.storage.read { try $0.hasDeviceAddresses(before: $0.now) })
        }
    }
}

extension Installation {
    fileprivate func density(
        in scope: Scope = Scope(app: Identifier(rawValue: 1), mode: .live), within time: Duration = .seconds(7200), limit: Int = 64
    ) async throws -> AddressDensity {
        try await storage.read { try $0.density(of: ["203.0.113.7"], in: scope, since: $0.now - time, besides: nil, limit: limit) }
    }

    fileprivate func session(
        on device: Int, _ description: DeviceDescription = DeviceDescription(), from address: String = "203.0.113.7",
        in scope: Scope = Scope(app: Identifier(rawValue: 1), mode: .live)
    ) async throws {
        try await storage.write { transaction in
            try transaction.record(
                device: Device.ID(rawValue: Int64(device)), description, from: address, in: scope, time: transaction.now)
        }
    }

    /// Inserts a click that is pending for two hours.
    @discardableResult
    fileprivate func click(
        _ visitor: Visitor, browser: Int?, address: String = "203.0.113.7",
        in scope: Scope = Scope(app: Identifier(rawValue: 1), mode: .live)
    ) async throws -> Click {
        try await storage.write { transaction in
            let click = Click(
                id: try transaction.newID(), link: Link.ID(rawValue: 2), scope: scope, visitor: visitor, address: address,
                userAgent: "Browser/1", referrer: nil, query: nil, reason: nil,
                browser: browser.map { Browser.ID(rawValue: Int64($0)) }, matchSeconds: 7200)
            try transaction.insert(click)
            return click
        }
    }
}

extension Fingerprint {
    fileprivate init(_ click: Click) {
        self.init(
            scope: click.scope, address: click.address, os: click.visitor.os ?? "", osVersion: click.visitor.osVersion ?? "")
    }
}

extension Visitor {
    fileprivate static let iPhone = Visitor(
        platform: .iOS, os: "iOS", osVersion: "18.6", browser: WebBrowser(.safari, version: "18.6"))
}
