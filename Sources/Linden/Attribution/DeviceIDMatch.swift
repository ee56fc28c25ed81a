/// Matches the newest click whose URL named the device's advertising id, as links of advertising networks do (`$idfa`, `$aaid`).
package struct DeviceIDMatch: Matcher {
    package static let name = "device_id"

    package func answer(_ evidence: Evidence, _ rules: AttributionRules) -> MatcherAnswer {
        evidence.deviceClick?.answer("The click named this device's advertising id.")
            ?? .noMatch("No click named this device's advertising id.")
    }
}
