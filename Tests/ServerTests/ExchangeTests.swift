import Foundation
import HTTPTypes
import Linden
import LindenKernel
import LindenServices
import LindenTesting
import LinkRouting
import Testing

/// Replays the requests of every SDK generation line by line, as `Exchanges/README.md` describes.
@Suite struct ExchangeTests {
    @Test(arguments: try Recording.all())
    func everyRequestIsAnsweredAsTheSDKNeeds(recording: Recording) async throws {
        try await Exchange.run { exchange in
            var values = try await Self.app(exchange)
            for line in recording.lines {
                if let seconds = line["wait"]?.integer { exchange.installation.clock.advance(by: .seconds(seconds)) }
                let answer = try await Self.send(line, values, exchange)
                let place = Comment(rawValue: "\(recording.name): \(line["call"]?.string ?? "") \(line["path"]?.string ?? "")")
                Self.compare(answer, with: line, &values, place)
            }
        }
    }

    private static func app(_ exchange: Exchange) async throws -> [String: String] {
        let app = try await exchange.installation.createApp()
        return [
            "branch_key": app.live.key.branchKey, "branch_secret": app.live.secret, "test_branch_key": app.test.key.branchKey,
        ]
    }

    private static func send(_ line: JSONObject, _ values: [String: String], _ exchange: Exchange) async throws -> Exchange.Answer {
        func filled(_ text: String) -> String { Pattern.fill(text, values) }
        var headers = HTTPFields()
        for (name, value) in line["headers"]?.object ?? [:] where !["host", "content-length"].contains(name.lowercased()) {
            if let name = HTTPField.Name(name), let value = value.string { headers[name] = filled(value) }
        }
        var path = filled(line["path"]?.string ?? "/")
        var body: String?
        if let text = line["body"]?.string {
            body = filled(text)
        } else if let object = line["body"] {
            body = filled(object.text)
        } else if let form = line["form"]?.object {
            body = form.flatMap { name, value in
                (value.array ?? [value]).map { name + "=" + PercentCoding.encodeQueryValue(filled($0.scalarText ?? $0.text)) }
            }.joined(separator: "&")
        } else if let call = line["jsonp"] {
            let text = Data(filled(call.text).utf8).base64EncodedString()
            path += (path.contains("?") ? "&" : "?") + "post_data=" + PercentCoding.encodeQueryValue(text)
        }
        let method = HTTPRequest.Method(line["method"]?.string ?? "GET") ?? .get
        return try await exchange.send(
            method, path, from: line["from"]?.string ?? "203.0.113.7", headers: headers, body: body.map { Array($0.utf8) })
    }

    private static func compare(
        _ answer: Exchange.Answer, with line: JSONObject, _ values: inout [String: String], _ place: Comment
    ) {
        #expect(answer.status == Int(line["status"]?.integer ?? 200), "\(place) answered \(answer.body)")
        if let expected = line["answer"], let difference = expected.difference(from: answer.body, &values) {
            Issue.record("\(place): \(difference) in \(answer.body)")
        }
        for text in line["page"]?.array ?? [] {
            guard let text = text.string, !Pattern(text).isFound(in: answer.body, &values) else { continue }
            Issue.record("\(place): \(text) is not in \(answer.body)")
        }
        if let text = line["location"]?.string, !Pattern(text).matches(answer.location ?? "", &values) {
            Issue.record("\(place): leads to \(answer.location ?? "nowhere"), expected \(text)")
        }
        for (name, value) in line["answer_headers"]?.object ?? [:] {
            let actual = HTTPField.Name(name).flatMap { answer.headers[$0] } ?? ""
            guard let text = value.string, !Pattern(text).isFound(in: actual, &values) else { continue }
            Issue.record("\(place): \(name) is \(actual), which does not hold \(text)")
        }
    }
}

/// A file of exchanges.
struct Recording: Sendable, CustomTestStringConvertible {
    let name: String
    let lines: [JSONObject]

    var testDescription: String { name }

    static func all() throws -> [Recording] {
        let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent("Exchanges")
        let files = try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
        return try files.filter { $0.pathExtension == "jsonl" }.sorted { $0.path < $1.path }.map { file in
            let lines = try String(contentsOf: file, encoding: .utf8).split(separator: "\n")
            return Recording(
                name: file.deletingPathExtension().lastPathComponent,
                lines: try lines.compactMap { try JSON.parse(String($0)).object })
        }
    }
}

extension JSON {
    /// The difference between this expected value and a body; nil if there is none.
    fileprivate func difference(from body: String, _ values: inout [String: String]) -> String? {
        if let script = object, let callback = script["script"]?.string, let expected = script["of"] {
            guard let start = body.firstRange(of: callback + "(")?.upperBound, let end = body.lastRange(of: ");")?.lowerBound else {
                return "no script that calls \(callback)"
            }
            return expected.difference(from: String(body[start..<end]), &values)
        }
        guard let actual = try? JSON.parse(body) else { return "not JSON" }
        return difference(from: actual, at: "", &values)
    }

    private func difference(from actual: JSON, at path: String, _ values: inout [String: String]) -> String? {
        if self == "{{*}}" { return nil }
        switch (self, actual) {
        case (.string(let expected), .string(let text)):
            return Pattern(expected).matches(text, &values) ? nil : "\(path) is \(text), expected \(expected)"
        case (.object(let expected), .string(let text)) where expected["json text"] != nil:
            guard let inner = try? JSON.parse(text), let wanted = expected["json text"] else { return "\(path) holds no JSON" }
            return wanted.difference(from: inner, at: path + "→", &values)
        case (.object(let expected), .object(let members)):
            let (wanted, given) = (Set(expected.keys), Set(members.keys))
            guard wanted == given else {
                return
                    "\(path) lacks \(wanted.subtracting(given).sorted()) and should not have \(given.subtracting(wanted).sorted())"
            }
            for (key, value) in expected {
                if let difference = value.difference(from: members[key]!, at: path + "." + key, &values) { return difference }
            }
            return nil
        case (.array(let expected), .array(let elements)):
            guard expected.count == elements.count else { return "\(path) has \(elements.count) elements" }
            for (index, (value, element)) in zip(expected, elements).enumerated() {
                if let difference = value.difference(from: element, at: "\(path)[\(index)]", &values) { return difference }
            }
            return nil
        default:
            return self == actual ? nil : "\(path) is \(actual.text), expected \(text)"
        }
    }
}

extension String {
    fileprivate func lastRange(of text: String) -> Range<String.Index>? { range(of: text, options: .backwards) }
}

/// A text with `{{names}}` of values that are captured at first and must be equal afterwards.
struct Pattern {
    private let text: String

    init(_ text: String) {
        self.text = text
    }

    static func fill(_ text: String, _ values: [String: String]) -> String {
        text.replacing(/\{\{(\w+)(:digits)?\}\}/) { match in values[String(match.1)] ?? String(match.0) }
    }

    func matches(_ actual: String, _ values: inout [String: String]) -> Bool {
        learn(from: actual, whole: true, &values)
    }

    func isFound(in body: String, _ values: inout [String: String]) -> Bool {
        learn(from: body, whole: false, &values)
    }

    /// Whether the text matches, with known values substituted; if so, captures the values of the other names.
    private func learn(from actual: String, whole: Bool, _ values: inout [String: String]) -> Bool {
        var unknown: [String] = []
        var expression = ""
        var rest = text[...]
        let isAlone = whole && text.wholeMatch(of: /\{\{\w+\}\}/) != nil
        while let match = rest.firstMatch(of: /\{\{(\w+)(:digits)?\}\}/) {
            expression += NSRegularExpression.escapedPattern(for: String(rest[..<match.range.lowerBound]))
            let name = String(match.1)
            if let known = values[name] {
                if match.2 != nil, known.wholeMatch(of: /[0-9]{18}/) == nil { return false }
                expression += NSRegularExpression.escapedPattern(for: known)
            } else if let index = unknown.firstIndex(of: name) {
                expression += "\\\(index + 1)"
            } else {
                unknown.append(name)
                expression += match.2 != nil ? "([0-9]{18})" : isAlone ? "([\\s\\S]+)" : "([^/?&#\"\\s]+)"
            }
            rest = rest[match.range.upperBound...]
        }
        expression += NSRegularExpression.escapedPattern(for: String(rest))
        guard let regex = try? NSRegularExpression(pattern: whole ? "^" + expression + "$" : expression),
            let found = regex.firstMatch(in: actual, range: NSRange(actual.startIndex..., in: actual))
        else { return false }
        for (index, name) in unknown.enumerated() {
            values[name] = Range(found.range(at: index + 1), in: actual).map { String(actual[$0]) }
        }
        return true
    }
}

extension JSON {
    fileprivate var integer: Int64? {
        guard case .integer(let number) = self else { return nil }
        return number
    }
}
