import Foundation
import HTTPTypes
import Linden
import LindenKernel
import LindenServices
import LindenTesting
import LinkRouting
import Testing

/// Calls with fields omitted, in any order and of any type are answered.
@Suite struct FieldVariationTests {
    /// The ways in which SDKs write a kind of value.
    enum Kind {
        case token
        case text
        case switchable
        case number
        case object
        case time
        case label
        case tags
        case data
        case linkType
        case duration
        case alias
        case name

        func variants(_ ids: [String]) -> [JSON] {
            switch self {
            case .token:
                ids.map(JSON.string) + ids.compactMap { Int64($0).map(JSON.integer) } + [
                    nil, "", "bnc_no_value", "811645508874040815",
                ]
            case .text: ["Orchard", "Ä €", "", nil, "bnc_no_value", 17, .string(String(repeating: "x", count: 3000)), "a\u{1}b"]
            case .switchable: [true, false, 1, 0, "true", "false", "1", "0", nil, ""]
            case .number: [3, 0, -1, "3", .decimal("2.75"), "2.75", nil, ""]
            case .object: [.object([:]), ["a": ["b": [1, nil, true]]], nil, "{}", "", []]
            case .label: ["sms", "Ä & €", "", nil, "bnc_no_value"]
            case .tags: [["a", "b"], [], "one", nil, "", ["a", ""]]
            case .data: [["a": ["b": nil]], #"{"a":1}"#, "", nil, .object([:]), "{}"]
            case .linkType: [0, 1, 2, "0", "1", nil, ""]
            case .duration: [0, 7200, "7200", nil, "", .decimal("60.0")]
            case .alias: ["", nil, "bnc_no_value"]
            case .name: ["ann", "Ä €", "null", "1", .string(String(repeating: "x", count: 127))]
            case .time: [1_700_000_000_000, 0, "1700000000000", nil, .decimal("1700000000000.5")]
            }
        }
    }

    private static let device: [(String, Kind)] = [
        ("hardware_id", .text), ("hardware_id_type", .text), ("is_hardware_id_real", .switchable), ("ios_vendor_id", .text),
        ("anon_id", .text), ("local_ip", .text), ("opted_in_status", .text), ("first_opt_in", .switchable), ("os", .text),
        ("os_version", .number), ("os_version_android", .text), ("build", .text), ("environment", .text), ("locale", .text),
        ("country", .text), ("language", .text), ("brand", .text), ("model", .text), ("cpu_type", .text), ("screen_dpi", .number),
        ("screen_height", .number), ("screen_width", .number), ("connection_type", .text), ("user_agent", .text),
        ("app_version", .text), ("plugin_name", .text), ("disable_ad_network_callouts", .switchable), ("sdk", .text),
        ("wifi", .switchable),
        ("ui_mode", .text), ("google_advertising_id", .text), ("lat_val", .switchable), ("advertising_ids", .object),
        ("unidentified_device", .switchable), ("metadata", .object), ("instrumentation", .object), ("retryNumber", .number),
        ("debug", .switchable), ("branch_sdk_request_timestamp", .time),
    ]
    private static let tokens: [(String, Kind)] = [
        ("device_fingerprint_id", .token), ("identity_id", .token), ("randomized_device_token", .token),
        ("randomized_bundle_token", .token), ("session_id", .token), ("browser_fingerprint_id", .token),
    ]
    private static let opening: [(String, Kind)] = [
        ("identity", .text), ("link_identifier", .token), ("link_click_id", .token), ("spotlight_identifier", .text),
        ("initial_referrer", .text), ("external_intent_uri", .text), ("universal_link_url", .text), ("android_app_link_url", .text),
        ("push_identifier", .text), ("local_url", .text), ("partner_data", .object), ("lastest_update_time", .time),
        ("previous_update_time", .time), ("latest_install_time", .time), ("first_install_time", .time), ("update", .number),
        ("apple_attribution_token", .text), ("search_ad_encoded", .text), ("facebook_app_link_checked", .switchable),
        ("cpp_level", .text), ("odm_info", .text), ("web_link_context", .object), ("operational_metrics", .object), ("cd", .object),
        ("install_referrer_extras", .text), ("clicked_referrer_ts", .time), ("is_referrable", .switchable), ("options", .text),
        ("tracking_disabled", .switchable), ("dma_eea", .switchable), ("link", .text),
    ]
    private static let event: [(String, Kind)] = [
        ("name", .text), ("event", .text), ("customer_event_alias", .text), ("event_data", .object), ("custom_data", .object),
        ("content_items", .object), ("user_data", .object), ("commerce_data", .object), ("params", .object),
        ("attribution_window", .number),
    ]
    private static let link: [(String, Kind)] = [
        ("source", .text), ("ignore_ua_string", .text), ("session_id", .token), ("channel", .label), ("feature", .label),
        ("campaign", .label), ("stage", .label), ("tags", .tags), ("data", .data), ("type", .linkType), ("duration", .duration),
        ("alias", .alias), ("identity", .label), ("instrumentation", .object), ("tracking_disabled", .switchable),
    ]

    private static let calls: [(path: String, fields: [(String, Kind)])] = [
        ("/v1/install", device + tokens + opening), ("/v1/open", device + tokens + opening), ("/v1/close", device + tokens),
        ("/v1/logout", device + tokens), ("/v1/event", device + tokens + event), ("/v2/event/standard", device + tokens + event),
        ("/v2/event/custom", device + tokens + event), ("/v1/register-view", device + tokens + event),
        ("/v1/pageview", tokens + event + opening), ("/v1/dismiss", tokens + event), ("/v1/content-events", tokens + event),
        ("/v1/cpid", device + tokens + event), ("/v1/cpid/latd", device + tokens + event), ("/v1/url", device + tokens + link),
        ("/v1/profile", device + tokens),
    ]

    @Test(arguments: calls)
    func anySubsetInAnyOrderAndTypeIsAnswered(path: String, fields: [(String, Kind)]) async throws {
        try await Exchange.run { exchange in
            let key = try await exchange.installation.createApp().live.key.branchKey
            let click = try #require(try await exchange.get(try await exchange.createLink(key)).linkClickID)
            let known = try await exchange.install(key, ["identity": "ann"], from: "192.0.2.77").object
            let ids = [click] + ["session_id", "identity_id", "device_fingerprint_id"].compactMap { known[$0]?.string }
            var dice = Dice(seed: UInt64(path.utf8.reduce(7) { $0 &* 31 &+ Int($1) }.magnitude))
            for _ in 0..<60 {
                var members = fields.filter { _ in dice.roll(3) > 0 }.map { name, kind in
                    (key: name, value: dice.pick(kind.variants(ids)))
                }
                if path == "/v1/profile" { members.append((key: "identity", value: dice.pick(Kind.name.variants(ids)))) }
                members.append((key: "branch_key", value: .string(key)))
                members.shuffle(using: &dice)
                let body = JSONObject(members)
                let bytes = dice.roll(4) == 0 ? body.form : JSON.object(body).bytes
                let answer = try await exchange.send(.post, path, body: bytes)
                #expect(answer.status == 200, "\(String(decoding: bytes, as: UTF8.self)) gave \(answer.body)")
                #expect(answer.json != .null)
                if path == "/v1/open" || path == "/v1/install" {
                    #expect(answer.object["data"]?.string.flatMap { try? JSON.parse($0) }?.object?["+clicked_branch_link"] != nil)
                    #expect(!answer.body.contains(":null"))
                }
            }
        }
    }
}

extension JSONObject {
    /// The form encoding of the Web SDK: objects as JSON text, arrays by repeating the name, null as an empty pair.
    var form: [UInt8] {
        let pairs = flatMap { name, value -> [String] in
            if value.isNull { return [""] }
            return (value.array ?? [value]).map { name + "=" + PercentCoding.encodeQueryValue($0.scalarText ?? $0.text) }
        }
        return Array(pairs.joined(separator: "&").utf8)
    }
}
