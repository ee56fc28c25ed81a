import Connections
import Foundation
import Linden
import LindenKernel
import LindenReporting
import LindenServices
import Server
import Testing
import Yams

/// `Config/linden.yaml` states the defaults that apply without it. Its keys are compared with the reader's in test_settings.py.
@Suite struct SettingsReferenceTests {
    /// The settings of the reference by key; the elements of a list are separated by commas.
    private static func reference() throws -> [String: String] {
        let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        let text = try String(contentsOf: root.appending(path: "Config/linden.yaml"), encoding: .utf8)
        var settings: [String: String] = [:]
        func collect(_ node: Node, _ key: String) {
            if let mapping = node.mapping {
                for (name, value) in mapping { collect(value, (key.isEmpty ? "" : key + ".") + (name.string ?? "")) }
            } else if let sequence = node.sequence {
                settings[key] = sequence.compactMap { $0.scalar?.string }.joined(separator: ",")
            } else {
                settings[key] = node.scalar?.string
            }
        }
        collect(try #require(try compose(yaml: text)), "")
        return settings
    }

    @Test func sizesAndNumbersAreTheDefaults() throws {
        let (connections, orders) = (ConnectionLimits(), OrderLimits())
        let defaults = [
            "http.max_body_bytes": ServerOptions.standardBodyBytes,
            "http.max_connections": connections.connections,
            "http.max_connections_per_address": connections.connectionsPerAddress,
            "http.header_timeout": connections.headerTimeout,
            "links.max_bulk_bytes": ServerOptions.standardBulkBytes,
            "links.max_data_bytes": LinkSizeLimits.standardDataBytes,
            "privacy.key_days": AddressPrivacy.standardKeyDays,
            "limits.min_free_disk": DiskMonitor.standardMinimum,
            "limits.queued_exports": orders.queuedExports,
            "limits.exports_per_day": orders.exportsPerDay,
            "limits.downloads": orders.downloads,
            "limits.queued_erasures": orders.queuedErasures,
            "limits.subject_requests_per_day": orders.subjectRequestsPerDay,
        ]
        let reference = try Self.reference()
        for (key, value) in defaults { #expect(reference[key] == String(value), "\(key)") }
    }

    @Test(arguments: LimitedCall.allCases)
    func ratesAreTheDefaults(call: LimitedCall) throws {
        let reference = try Self.reference()
        for owner in call.owners {
            let key = "limits.\(call.name).\(owner.rawValue)"
            #expect(reference[key] == RateLimits()[call][owner].text, "\(key)")
        }
    }

    @Test func exemptNetworksAreTheDefaults() throws {
        let written = try #require(try Self.reference()["limits.exempt_networks"])
        #expect(written.split(separator: ",").compactMap { Network($0) } == RateLimits.loopback)
    }
}
