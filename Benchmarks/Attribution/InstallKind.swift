import ArgumentParser
import Linden
import LindenKernel

/// A kind of install whose CPU time is measured. The kinds differ in what attributes the install, so that the difference of two is the
/// cost of one step.
enum InstallKind: String, CaseIterable, Codable, Sendable, ExpressibleByArgument {
    /// Not attributed: `attribution.fingerprint` is off, although the device has clicked.
    case off
    /// Attributed by the id of its click, which the SDK sends.
    case named
    /// Attributed by fingerprint matching.
    case matched
    /// Not attributed: others clicked at its address, but the device did not.
    case refused
    /// Not attributed: there was no click at its address.
    case organic

    /// Whether the device has clicked.
    var hasClick: Bool { self == .off || self == .named || self == .matched }

    var outcome: AttributionDecision.Outcome {
        switch self {
        case .off, .organic: .organic
        case .named, .matched: .matched
        case .refused: .refused
        }
    }

    /// Throws if the session's data is not that of an install of this kind.
    func check(_ data: JSONObject) throws {
        guard data["+clicked_branch_link"] == .bool(outcome == .matched),
            outcome != .matched || data["+match_guaranteed"] == .bool(self == .named)
        else { throw UnexpectedInstall(description: "An install of the kind \(self) was attributed otherwise: \(data)") }
    }
}

struct UnexpectedInstall: Error, CustomStringConvertible {
    let description: String
}
