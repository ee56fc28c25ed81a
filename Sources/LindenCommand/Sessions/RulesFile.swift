import Foundation
import Linden
import LindenKernel
import LindenReporting
import Yams

/// A YAML file with rules of probabilistic matching, see ``AttributionRules``.
enum RulesFile {
    /// Reads rules from a file. Fails with one line that names the file and the allowed values.
    static func rules(_ path: String) throws -> AttributionRules {
        guard let data = FileManager.default.contents(atPath: path) else {
            throw Failure.unusable("The rules file \(path) cannot be read.")
        }
        do {
            let root = try compose(yaml: String(decoding: data, as: UTF8.self))
            guard let members = try root.map({ try json($0) })?.object else {
                throw Failure.unusable("It must contain rules, such as threshold: \(AttributionRules.standard.threshold).")
            }
            return try AttributionRules(changes: members)
        } catch let failure as Failure {
            throw Failure.unusable("The rules file \(path) is invalid: \(failure.message)")
        } catch let error as YamlError {
            let reason = "\(error)".split(whereSeparator: \.isNewline).joined(separator: " ")
            throw Failure.unusable("The rules file \(path) is not YAML: \(reason)")
        }
    }

    /// The standard rules as the text of a rules file.
    static var standard: String {
        let members = AttributionRules.standard.json.map { name, value in
            guard let steps = value.array else { return "\(name): \(value.text)" }
            let lines = steps.compactMap(\.object).map { step in
                "  - { " + step.map { "\($0): \($1.text)" }.joined(separator: ", ") + " }"
            }
            return "\(name):\n" + lines.joined(separator: "\n")
        }
        let versions = AttributionRules.ownVersions
        return """
            # The rules of probabilistic matching, version \(AttributionRules.standard.version). What a file leaves out stays as it is here.
            # Points are added for what agrees and subtracted for what does not; a click needs the threshold. Of steps the first counts
            # whose up_to is not exceeded: seconds from the click to the installation in ages, others at the address in densities, those like
            # the device in similar_densities, and of a thousand devices those with the same trait in version_shares, model_shares and
            # screen_shares. long_ago, high_density, high_similar_density and common_… are for more.
            # version: \(versions.lowerBound)   # to tell rules of your own apart in explanations, \(versions.lowerBound) to \(versions.upperBound); 0 if you name none

            """ + members.joined(separator: "\n")
    }

    private static func json(_ node: Node) throws -> JSON {
        if let sequence = node.sequence { return .array(try sequence.map { try json($0) }) }
        if let mapping = node.mapping {
            return .object(JSONObject(try mapping.map { (key: $0.key.string ?? "", value: try json($0.value)) }))
        }
        if node.null != nil { return .null }
        return node.int.map { JSON($0) } ?? .string(node.string ?? "")
    }
}
