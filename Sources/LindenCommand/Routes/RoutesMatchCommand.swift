import ArgumentParser
import Foundation
import Linden
import RouteVectors

struct RoutesMatchCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "match",
        abstract: "Hold a file of routing vectors against the pattern languages and say which cases hold.",
        discussion: """
            The file is a JSON object with the arrays roots, waapprouting, aasa, roots_connect and assetlinks_dynamic. The exit status is 1 if \
            any case fails that is not advisory, or if the file cannot be read.
            """)

    @Option(help: ArgumentHelp("The file of vectors.", valueName: "file"))
    var vectors: String
    @Option(help: "How to print: table or json.")
    var format: OutputFormat = .table

    func run() async throws {
        let cases = try read()
        var report = JSONObject()
        var hasFailed = false
        for family in VectorCase.Family.allCases {
            let cases = cases.filter { $0.family == family }
            let failures = cases.filter { !$0.differences().isEmpty }
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
            throw Failure.invalid("\(vectors) cannot be read.")
        }
        do {
            guard let object = try JSON.parse(Array(data)).object else {
                throw Failure.invalid("\(vectors) must hold a JSON object of arrays of cases.")
            }
            return VectorCase.Family.allCases.flatMap { family in
                (object[family.rawValue]?.array ?? []).map { VectorCase(family: family, fields: VectorValue($0)) }
            }
        } catch let error as JSONError {
            throw Failure.invalid("\(vectors) is not JSON: \(error).")
        }
    }

    private func show(_ report: JSONObject) {
        guard format == .table else {
            Output(format: format).show(report)
            return
        }
        Output(format: format).list(
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
    /// The same value in the words of the vectors.
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
