import Foundation
import HTTPTypes
import Linden
import LindenKernel
import LindenServices
import LindenTesting
import LinkRouting
import Testing

/// Random calls: no answer is a 5xx, and every refusal gives a reason.
@Suite struct FuzzTests {
    private static let names = [
        "branch_key", "branch_secret", "data", "type", "alias", "tags", "channel", "duration", "identity", "identity_id",
        "session_id",
        "device_fingerprint_id", "link_identifier", "universal_link_url", "user_data", "event_data", "content_items", "name",
        "event",
        "metadata", "qr_code_settings", "amount", "bucket", "length", "direction", "attribution_window", "domain", "analytics",
        "os",
        "os_version", "hardware_id", "is_hardware_id_real", "tracking_disabled", "retryNumber", "branch_sdk_request_unique_id",
        "sdk",
        "server_to_server", "ip", "phone", "app_name", "ios_uri_scheme", "browser_fingerprint_id", "callback", "url", "app_id",
        "_t",
    ]

    @Test func noCallBreaks() async throws {
        try await Exchange.run { exchange in
            let app = try await exchange.installation.createApp()
            let path = try await exchange.createLink(app.live.key.branchKey, ["alias": "fuzzed"])
            var junk = Junk(
                dice: Dice(seed: 42),
                good: [app.live.key.branchKey, app.live.secret, "https://go.example.com" + path, "123456789012345678"])
            for call in exchange.calls {
                for _ in 0..<40 {
                    let (method, target, body) = junk.request(call.method, call.path, Self.names)
                    let answer = try await exchange.send(
                        method, target, userAgent: junk.userAgent, headers: junk.headers, body: body)
                    let request = "\(method) \(target) \(String(decoding: body, as: UTF8.self).prefix(400))"
                    #expect(answer.status < 500, "\(request) gave \(answer.body)")
                    guard answer.status >= 400, method != .head,
                        answer.headers[.contentType]?.hasPrefix("application/json") == true,
                        answer.body != "[]"
                    else { continue }
                    #expect(answer.errorCode == .integer(Int64(answer.status)), "\(request) gave \(answer.body)")
                    #expect(answer.errorMessage?.isEmpty == false)
                }
            }
            #expect(try await exchange.get("/readyz").status == 200)
        }
    }
}

private struct Junk {
    var dice: Dice
    let good: [String]

    var userAgent: String? {
        mutating get {
            dice.pick([nil, "", UserAgents.iPhone, UserAgents.android, UserAgents.googlebot, String(repeating: "(", count: 3000)])
        }
    }

    var headers: HTTPFields {
        mutating get {
            var headers = HTTPFields()
            if dice.roll(3) == 0 { headers[.cookie] = dice.pick(["_s=1; _c=2", ";;;=", "_s=" + good[3], "\u{7F}"]) }
            if dice.roll(3) == 0 { headers[.origin] = dice.pick(["null", "https://page.example", "\"<x>"]) }
            if dice.roll(4) == 0 { headers[.accept] = dice.pick(["application/json", "text/html", "*/*;q=x"]) }
            if dice.roll(4) == 0 { headers[.authorization] = dice.pick(["Bearer x", "Bearer ", "Basic eDp5"]) }
            return headers
        }
    }

    mutating func request(_ method: String, _ path: String, _ names: [String]) -> (HTTPRequest.Method, String, [UInt8]) {
        var target = path.split(separator: "/", omittingEmptySubsequences: false).map { segment in
            segment.hasPrefix(":") || segment == "**" ? PercentCoding.encodeQueryValue(text()) : String(segment)
        }.joined(separator: "/")
        if dice.roll(3) > 0 {
            target +=
                "?"
                + (0..<dice.roll(5)).map { _ in dice.pick(names) + "=" + PercentCoding.encodeQueryValue(text()) }.joined(
                    separator: "&")
        }
        let object = object(names, depth: 2)
        let body: [UInt8]
        switch dice.roll(8) {
        case 0: body = (0..<dice.roll(200)).map { _ in UInt8(dice.roll(256)) }
        case 1: body = Array(JSON.object(object).bytes.dropLast(1 + dice.roll(20)))
        case 2: body = object.form
        case 3: body = Array(String(repeating: dice.pick(["[", "{\"a\":", "[{\"a\":["]), count: 5000).utf8)
        default: body = JSON.object(object).bytes
        }
        return (HTTPRequest.Method(method)!, target, method == "GET" || method == "HEAD" ? [] : body)
    }

    private mutating func object(_ names: [String], depth: Int) -> JSONObject {
        var members = (0..<dice.roll(8)).map { _ in (key: dice.pick(names), value: value(names, depth: depth)) }
        if dice.roll(3) > 0 { members.append((key: "branch_key", value: .string(good[0]))) }
        if dice.roll(3) == 0 { members.append((key: "branch_secret", value: .string(good[1]))) }
        return JSONObject(members)
    }

    private mutating func value(_ names: [String], depth: Int) -> JSON {
        switch dice.roll(depth > 0 ? 10 : 7) {
        case 0: nil
        case 1: .bool(dice.roll(2) == 0)
        case 2: .integer(dice.pick([0, 1, -1, 300, Int64.max, Int64.min, 123_456_789_012_345_678]))
        case 3: .decimal(dice.pick(["1e400", "-0.0", "2.75", "1E-7", "123456789012345678901234567890"]))
        case 4, 5, 6: .string(text())
        case 7: .array((0..<dice.roll(4)).map { _ in value(names, depth: depth - 1) })
        default: .object(object(names, depth: depth - 1))
        }
    }

    private mutating func text() -> String {
        switch dice.roll(6) {
        case 0: dice.pick(good)
        case 1: String((0..<dice.roll(12)).map { _ in Character(Unicode.Scalar(UInt32(dice.roll(0x250)))!) })
        case 2:
            dice.pick(["", "0", "-1", "null", "true", "bnc_no_value", "{}", "[]", "{\"a\":{\"b\":1}}", "999999999999999999999999"])
        case 3:
            dice.pick([
                "javascript:alert(1)", "https://[::1", "http://x y/", "%00%ff%", "../../etc/passwd", "\u{0}", "\u{202E}abc", "🍐🍎",
            ])
        case 4: String(repeating: dice.pick(["a", "é", "%", "\\", "\""]), count: dice.pick([1, 127, 128, 129, 255, 256, 2000]))
        default:
            dice.pick([
                "https://go.example.com/fuzzed", "/fuzzed", "fuzzed", "PNG", "#000", "300", "1", "2", "iOS", "Android", "web2.84.0",
            ])
        }
    }
}
