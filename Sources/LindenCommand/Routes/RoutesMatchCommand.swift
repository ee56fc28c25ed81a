import ArgumentParser
import Foundation
import LindenKernel
import RouteVectors

struct RoutesMatchCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "match",
        abstract: "Run a file of test vectors against the pattern languages, and report which cases pass.",
        discussion: """
            The file is a JSON object with the arrays roots, waapprouting, aasa, roots_connect and assetlinks_dynamic. Differences are printed to \
            standard error. The exit status is 1 if any case fails that is not advisory, or if the file cannot be read or holds no case.
            """)

    @Option(help: ArgumentHelp("The file of vectors.", valueName: "file"))
    var vectors: String
    @OptionGroup var common: CommonOptions

    func run() async throws {
        let cases = try read()
        var report = JSONObject()
        var hasFailed = false
        for family in VectorCase.Family.allCases {
            let cases = cases.filter { $0.family == family }
            let failures = cases.filter { vector in
                let differences = vector.differences()
                for difference in differences { Output.say(difference + (vector.isAdvisory ? " (advisory)" : "")) }
                return !differences.isEmpty
            }
            hasFailed = hasFailed || failures.contains { !$0.isAdvisory }
            report[family.rawValue] = [
                "total": JSON(cases.count), "hold": JSON(cases.count - failures.count), "failures": JSON(failures.map(\.id)),
            ]
        }
        show(report)
        if hasFailed { throw ExitCode.failure }
    }

    private func read() throws -> [VectorCase] {
        guard let data = FileManager.default.contents(atPath: vectors) else {
            throw Failure.unusable("\(vectors) cannot be read.")
        }
        let object: JSONObject
        do {
            guard let root = try JSON.parse(Array(data)).object else {
                throw Failure.unusable("\(vectors) must hold a JSON object of arrays of cases.")
            }
            object = root
        } catch let error as JSONError {
            throw Failure.unusable("\(vectors) is not JSON: \(error).")
        }
        let cases = try VectorCase.Family.allCases.flatMap { try read($0, of: object) }
        guard !cases.isEmpty else {
            let families = VectorCase.Family.allCases.map(\.rawValue).joined(separator: ", ")
            throw Failure.unusable("\(vectors) has no case; it must have one in one of the arrays \(families).")
        }
        return cases
    }

    private func read(_ family: VectorCase.Family, of object: JSONObject) throws -> [VectorCase] {
        guard let value = object[family.rawValue] else { return [] }
        guard let elements = value.array else {
            throw Failure.unusable("In \(vectors) \(family.rawValue) must be an array of cases.")
        }
        return try elements.enumerated().map { index, element in
            let place = "case \(index + 1) of \(family.rawValue)"
            guard element.object != nil else { throw Failure.unusable("In \(vectors) \(place) must be an object.") }
            let vector = VectorCase(family: family, fields: VectorValue(element))
            guard !vector.id.isEmpty else { throw Failure.unusable("In \(vectors), \(place) must have an id, a string.") }
            guard vector.expectsAnything else {
                throw Failure.unusable(
                    "In \(vectors) \(vector.id) of \(family.rawValue) expects nothing; a case says what must come out, "
                        + "such as match or params.")
            }
            return vector
        }
    }

    private func show(_ report: JSONObject) {
        guard common.format == .table else {
            Output(format: common.format).show(report)
            return
        }
        Output(format: common.format).list(
            report.map { family, result in
                let figures = result.object ?? [:]
                let failures = figures["failures"]?.array?.compactMap(\.string) ?? []
                return [
                    "vectors": .string(family), "total": figures["total"] ?? 0, "hold": figures["hold"] ?? 0,
                    "failures": .string(failures.joined(separator: " ")),
                ]
            }, empty: "There are no vectors.")
    }
}

extension VectorValue {
    /// Converts JSON to the value type of routing vectors.
    fileprivate init(_ json: JSON) {
        switch json {
        case .null: self = .null
        case .bool(let value): self = .bool(value)
        case .integer(let number): self = .integer(number)
        case .decimal(let text): self = Double(text).map(VectorValue.decimal) ?? .string(text)
        case .string(let text): self = .string(text)
        case .array(let elements): self = .array(elements.map { VectorValue($0) })
        case .object(let members):
            self = .object(Dictionary(members.map { ($0.key, VectorValue($0.value)) }, uniquingKeysWith: { $1 }))
        }
    }
}
