import BranchWire
import Foundation
import Linden
import LindenKernel
import LindenServices

/// Generates installs with the clicks before them. Each install has an address of its own, shared with other people: half of them have the
/// OS version of the installing phone, none its screen, each clicks a link, and the first has installed the app.
struct InstallGenerator {
    private let services: Services
    private let neighbours: Int
    /// The app that allows fingerprint matching, and the one that does not.
    private let app: AppContext
    private let appWithoutMatching: AppContext?
    private var addresses = 0
    private var phones = 0

    private static let links = 8

    /// Creates the apps and their links. Kinds other than `off` need one app only.
    init(_ services: Services, neighbours: Int, kinds: [InstallKind]) async throws {
        self.services = services
        self.neighbours = neighbours
        app = try await Self.createApp("on", [:], services)
        guard kinds.contains(.off) else {
            appWithoutMatching = nil
            return
        }
        appWithoutMatching = try await Self.createApp("off", ["attribution.fingerprint": "off"], services)
    }

    private static func createApp(_ name: String, _ settings: JSONObject, _ services: Services) async throws -> AppContext {
        let all: JSONObject = ["ios_uri_scheme": "orchard", "ios_app_store_id": "123456789"]
        let created = try await services.apps.create(
            NewApp(name: name, settings: all.merging(settings), domain: "\(name).example.com"))
        let context = try await services.directory.app(branchKey: created.live.key.branchKey)
        for number in 0..<links {
            let data: JSONObject = ["fruit": .string("pear \(number)"), "$og_title": "Pears", "price": 7]
            _ = try await services.links.create(NewLink(alias: "link-\(number)", data: data), for: context)
        }
        return context
    }

    /// Fills the database with clicks and an install for each address.
    mutating func fill(clicks: Int) async throws {
        for _ in 0..<(clicks / (neighbours + 1)) {
            let start = try await prepare(.matched)
            _ = try await services.sessions.start(start)
        }
    }

    /// Writes the clicks before an install. Returns the install, which is to be started a minute later.
    mutating func prepare(_ kind: InstallKind) async throws -> SessionStart {
        addresses += 1
        let text = "10.\(addresses >> 16 & 255).\(addresses >> 8 & 255).\(addresses & 255)"
        guard let address = ClientAddress(text) else { throw UnexpectedInstall(description: "\(text) is no address.") }
        let isOff = kind == .off
        let phone = Phone(model: addresses, version: addresses / Phone.models.count)
        for number in 0..<(kind == .organic ? 0 : neighbours) {
            let other = Phone(model: addresses + 1 + number % (Phone.models.count - 1), version: phone.version + number % 2)
            _ = try await click(other, at: address, isOff, link: number + 1)
            if number == 0 {
                let start = try install(of: other, at: address, isOff)
                _ = try await services.sessions.start(start)
            }
        }
        guard kind.hasClick else { return try install(of: phone, at: address, isOff) }
        let own = try await click(phone, at: address, isOff, link: 0)
        return try install(of: phone, at: address, isOff, by: kind == .named ? own : nil)
    }

    /// Returns the public id of the click. The page of the link reports the phone's screen.
    private func click(_ phone: Phone, at address: ClientAddress, _ isOff: Bool, link: Int) async throws -> String {
        let visit = Visit(
            host: isOff ? "off.example.com" : "on.example.com", path: "/link-\(link % Self.links)", userAgent: phone.userAgent,
            address: address, language: "en")
        guard let click = try await services.clicks.visit(visit)?.clickID, click != "0" else {
            throw UnexpectedInstall(description: "A click was not recorded.")
        }
        try await services.clicks.record(DeviceReport(screen: phone.screen), of: click) { _ in }
        return click
    }

    /// Returns the install that the request of an iOS SDK describes.
    private mutating func install(
        of phone: Phone, at address: ClientAddress, _ isOff: Bool, by click: String? = nil
    ) throws -> SessionStart {
        guard let context = isOff ? appWithoutMatching : app else {
            throw UnexpectedInstall(description: "There is no app without fingerprint matching.")
        }
        phones += 1
        let id = JSON.string(String(format: "7A1D0000-0000-4000-8000-%012d", phones))
        let sent: Int64 = 1_800_000_000_000
        var fields: JSONObject = [
            "os": "iOS", "os_version": .string(phone.osVersion), "brand": "Apple", "model": .string(phone.model.name),
            "screen_width": .integer(Int64(phone.model.width * 3)), "screen_height": .integer(Int64(phone.model.height * 3)),
            "screen_dpi": 3, "language": "en", "country": "US", "app_version": "1.0", "sdk": "ios3.6.0",
            "hardware_id": id, "hardware_id_type": "vendor_id", "is_hardware_id_real": true, "ios_vendor_id": id,
            "branch_sdk_request_unique_id": id, "branch_sdk_request_timestamp": .integer(sent),
            "latest_install_time": .integer(sent - 2000),
        ]
        if let click { fields["link_identifier"] = .string(click) }
        return OpenRequest(RequestFields(fields), endpoint: .install)
            .sessionStart(app: context, address: address, userAgent: "", services.publicIDs)
    }
}

/// An iPhone, one of twenty kinds.
private struct Phone {
    static let models = [
        (name: "iPhone14,5", width: 390, height: 844), (name: "iPhone15,4", width: 393, height: 852),
        (name: "iPhone14,8", width: 428, height: 926), (name: "iPhone12,3", width: 375, height: 812),
        (name: "iPhone12,5", width: 414, height: 896),
    ]
    private static let versions = ["17.4.1", "17.5.1", "17.6.1", "17.7.2"]

    let model: (name: String, width: Int, height: Int)
    let version: Int

    /// - Parameters:
    ///   - model: any number, as is `version`: kinds repeat.
    init(model: Int, version: Int) {
        self.model = Self.models[model % Self.models.count]
        self.version = version
    }

    var osVersion: String { Self.versions[version % Self.versions.count] }
    var screen: Screen? { Screen(width: model.width, height: model.height) }

    var userAgent: String {
        let system = osVersion.split(separator: ".").joined(separator: "_")
        return "Mozilla/5.0 (iPhone; CPU iPhone OS \(system) like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.5 "
            + "Mobile/15E148 Safari/604.1"
    }
}
