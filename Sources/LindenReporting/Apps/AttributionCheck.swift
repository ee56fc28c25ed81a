import Linden
import LindenKernel
import LinkRouting

/// The doctor's check of an app's deterministic ways of attribution and of how its recent installs were attributed.
package enum AttributionCheck {
    /// - Parameters:
    ///   - hasDomain: whether the app has a domain that serves its links, for Universal Links and App Links.
    ///   - reference: the operator's reference to the app, for the commands in the findings.
    package static func findings(
        on app: App, hasDomain: Bool, _ summary: AttributionSummary, days: Int64, reference: String
    ) -> [Finding] {
        let settings = app.configuration
        var findings: [Finding] = []
        func check(_ name: String, _ isOn: Bool, on: String, off: String, _ remedy: Remedy? = nil) {
            findings.append(
                Finding(
                    "attribution." + name, isOn ? .ok : .warning, isOn ? on : off, remedy: isOn ? nil : remedy, app: app.id))
        }
        let addDomain = hasDomain ? nil : Remedy("To add a domain", .addDomain(nil))
        if settings["ios_app_store_id"] != nil || settings["ios_bundle_id"] != nil {
            check(
                "clipboard", settings.routing.ios.copiesLink,
                on: "Links on iOS lead over a page that puts the link onto the clipboard.",
                off: "Installs on iOS get no id from the App Store.",
                Remedy("With the clipboard page they do", .set(AppSetting.nativeLink, to: "true", app: reference)))
            check(
                "universal_links", settings["ios_team_id"] != nil && settings["ios_bundle_id"] != nil && hasDomain,
                on: "Universal Links name their link to the app.",
                off: "Universal Links are off: they need ios_team_id, ios_bundle_id and a domain.", addDomain)
        }
        if settings["android_package_name"] != nil {
            check(
                "play_referrer", settings["android_url"] == nil, on: "Google Play hands the click's id to the app it installs.",
                off: "android_url leads past Google Play, whose referrer would name the click.")
            check(
                "app_links", settings["sha256_cert_fingerprints"] != nil && hasDomain, on: "App Links name their link to the app.",
                off: "App Links are off: they need sha256_cert_fingerprints and a domain.", addDomain)
        }
        if !settings.matchesFingerprints {
            findings.append(
                Finding(
                    "attribution.fingerprint", .ok, "Installs are attributed by ids only (\(AppSetting.fingerprint) is off).",
                    app: app.id))
        }
        return findings + [installs(summary, days, app.id)]
    }

    private static func installs(_ summary: AttributionSummary, _ days: Int64, _ app: App.ID) -> Finding {
        let total = summary.installs
        guard total > 0 else { return Finding("attribution.installs", .ok, "No install in the last \(days) days.", app: app) }
        func share(_ count: Int64) -> String { AttributionSummary.percent(count, of: total) }
        func lost(_ way: AttributionSummary.Way) -> String { share(summary.counts[way] ?? 0) }
        return Finding(
            "attribution.installs", .ok,
            """
            Of \(total.counting("install")) in the last \(days) days, \(share(summary.count(.deterministic))) were attributed by an id and \
            \(share(summary.count(.probabilistic))) by address and device; lost were \(lost(.ambiguous)) as ambiguous, \
            \(lost(.tooLate)) as too late, \(lost(.unlikely)) as unlikely. The rest has no click, or one from elsewhere.
            """, remedy: Remedy("More", .showAttribution), app: app)
    }
}
