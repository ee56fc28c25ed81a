import LinkRouting
import RoutePatterns

/// A check that `/e/…` stays on the web and all other paths open the app. An exclusion after a matching rule has no effect, so the check
/// evaluates the rules instead of searching for them.
struct WebOnlyCheck: AssociationCheck {
    let appIDs: [String]
    let name = "web_only"

    /// The rules belong to an app, so the file must name one of the apps.
    func applies(to file: HostedFile) -> Bool {
        (try? AppleAssociation(file.bytes)).map { !named(in: $0).isEmpty } ?? true
    }

    private func named(in association: AppleAssociation) -> [String] { appIDs.filter(association.appIDs.contains) }

    func verdict(on file: HostedFile) -> Verdict {
        guard let association = try? AppleAssociation(file.bytes) else { return .error("The file has no rules.") }
        let named = named(in: association)
        func apps(where isWanted: (LinkVerdict) -> Bool, at path: String) -> [String] {
            let url = "https://" + URLParts(file.url).host + path
            return named.filter { isWanted(association.links.answer(for: url, appID: $0).verdict) }
        }
        let opened = apps(where: \.isMatch, at: "/e/pears")
        guard opened.isEmpty else {
            return .error(
                "Links below /e/ are for the web only, but \(opened.joined(separator: ", ")) would open them. The exclusion of "
                    + "/e/* must be the first of the app's rules.")
        }
        let closed = apps(where: { !$0.isMatch }, at: "/pears")
        guard closed.isEmpty else {
            return .error(
                "The rules of \(closed.joined(separator: ", ")) leave links to the browser. After /e/*, a rule must take in all paths."
            )
        }
        return .ok("Links below /e/ stay on the web, and apps open the others.")
    }
}
