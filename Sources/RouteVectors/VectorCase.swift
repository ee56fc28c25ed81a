import RoutePatterns

/// A case of the routing vectors: input, expected results, and a comparison with the results of LinkRouting.
///
/// Independent of JSON parsing and of test frameworks: both the tests and `linden routes match --vectors` use it.
package struct VectorCase: Sendable {
    /// The arrays of the vector file.
    package enum Family: String, Sendable, CaseIterable {
        case roots
        case waapprouting
        case aasa
        case rootsConnect = "roots_connect"
        case assetlinksDynamic = "assetlinks_dynamic"
    }

    package let family: Family
    package let fields: VectorValue

    package init(family: Family, fields: VectorValue) {
        self.family = family
        self.fields = fields
    }

    package var id: String { fields["id"]?.string ?? "" }
    /// Whether a difference is reported without failing the run.
    package var isAdvisory: Bool { fields["advisory"]?.bool ?? false }

    /// Whether the case has at least one field with an expected result.
    package var expectsAnything: Bool {
        (fields.object ?? [:]).keys.contains { !VectorCase.givenFields.contains($0) }
    }

    /// Returns a line for each expected field whose observed value differs; empty if the case holds. Compares all fields except
    /// ``givenFields``, which are inputs and remarks.
    package func differences() -> [String] {
        let observed = observed()
        return (fields.object ?? [:]).sorted { $0.key < $1.key }.compactMap { field, expected in
            guard !VectorCase.givenFields.contains(field), observed[field] != expected else { return nil }
            return "\(id) \(field): expected \(expected), got \(observed[field] ?? .null)"
        }
    }

    private static let givenFields: Set = [
        "id", "kind", "patterns", "url", "source", "ref", "note", "quirk", "advisory", "defaults", "domain_defaults",
        "substitutionVariables", "typed", "allowed", "tags", "app_opens", "options",
    ]

    private func observed() -> [String: VectorValue] {
        switch family {
        case .roots: observeRoots()
        case .waapprouting: kind == "register" ? observeRegistration() : observeWAAppPattern()
        case .aasa: observeUniversalLink()
        case .rootsConnect: observeConnection()
        case .assetlinksDynamic: observeDynamicRules()
        }
    }

    private var url: String { fields["url"]?.string ?? "" }
    private var kind: String { fields["kind"]?.string ?? "" }
    private var patterns: [VectorValue] { fields["patterns"]?.array ?? [] }
}

// MARK: Roots

extension VectorCase {
    private func observeRoots() -> [String: VectorValue] {
        var filters = RootsFilters()
        for pattern in patterns {
            guard let key = pattern["key"]?.string, let format = pattern["format"]?.string,
                let target = pattern["controller"]?.string,
                let filter = try? RootsFilter(key: AppLinkKey(rawValue: key), format: format, target: target)
            else { continue }
            filters.register(filter)
        }
        let match = filters.match(url)
        return [
            "match": .bool(match != nil), "params": VectorValue(match?.parameters ?? [:]),
            "controller": VectorValue(match?.filter.target),
        ]
    }

    private func observeConnection() -> [String: VectorValue] {
        let tags = (fields["tags"]?.array ?? []).map {
            (property: $0["property"]?.string ?? "", content: $0["content"]?.string ?? "")
        }
        let options = RootsConnectOptions(alwaysFallsBackToStore: fields["options"]?["always_fallback_to_app_store"]?.bool)
        let connection = RootsConnection(link: url, tags: AppLinkTag.scrape(tags), options: options)
        let (opened, event) = connection.run { _ in fields["app_opens"]?.bool ?? false }
        return ["opened": VectorValue(opened), "event": VectorValue(event)]
    }
}

// MARK: WAAppRouting

extension VectorCase {
    private func observeWAAppPattern() -> [String: VectorValue] {
        var routes = WAAppRoutes()
        let defaults = (fields["defaults"]?.object ?? [:]).compactMapValues(RouteValue.init)
        for pattern in patterns.compactMap(\.string) {
            try? routes.register(WAAppEntity(path: pattern, targetClass: "Target", defaults: defaults))
        }
        let match = routes.match(url)
        let merged = fields["typed"].map { typed in
            WAAppParameters(mappings(typed), allowed: fields["allowed"]?.strings)
                .merge(defaults: defaults, query: match?.query ?? [:], parameters: match?.parameters ?? [:])
        }
        return [
            "match": .bool(match != nil), "params": VectorValue(match?.parameters ?? [:]), "matched": VectorValue(match?.path),
            "query": VectorValue(match?.query ?? [:]),
            "merged": .object((merged ?? match?.merged ?? [:]).mapValues(VectorValue.init)),
        ]
    }

    private func mappings(_ typed: VectorValue) -> [WAAppParameters.Mapping] {
        (typed.object ?? [:]).sorted { $0.key < $1.key }.compactMap { key, value in
            guard let pair = value.strings, pair.count == 2, let kind = WAAppParameters.Kind(rawValue: pair[1]) else { return nil }
            return WAAppParameters.Mapping(key: key, property: pair[0], kind: kind)
        }
    }

    private func observeRegistration() -> [String: VectorValue] {
        var routes = WAAppRoutes()
        for registration in patterns.compactMap(\.string) { try? routes.register(registration) }
        let match = routes.match(url)
        return [
            "match": .bool(match != nil), "params": VectorValue(match?.parameters ?? [:]), "matched": VectorValue(match?.path),
            "entities": .array(routes.entities.map(VectorValue.init)), "stack": VectorValue(match?.stack ?? []),
        ]
    }
}

// MARK: Association files

extension VectorCase {
    private func observeUniversalLink() -> [String: VectorValue] {
        let details =
            switch kind {
            case "paths": [AppleAppLinks.Detail(appIDs: [], paths: patterns.compactMap(\.string))]
            case "components":
                [
                    AppleAppLinks.Detail(
                        appIDs: [], components: patterns.map(AppleLinkComponent.init),
                        defaults: AppleLinkSettings(fields["defaults"]))
                ]
            default: patterns.map(AppleAppLinks.Detail.init)
            }
        let links = try? AppleAppLinks(
            details: details, defaults: AppleLinkSettings(fields["domain_defaults"]),
            substitutionVariables: (fields["substitutionVariables"]?.object ?? [:]).compactMapValues(\.strings))
        let answer = links?.answer(for: url)
        let verdict = answer?.verdict ?? .noRule
        return [
            "match": .bool(verdict.isMatch), "result": .string(verdict.name), "params": .object([:]),
            "app": VectorValue(verdict.isMatch ? answer?.appIDs.first : nil),
        ]
    }

    private func observeDynamicRules() -> [String: VectorValue] {
        let verdict = (try? AndroidLinkRules(patterns.map(AndroidLinkComponent.init)))?.verdict(for: url) ?? .noRule
        return ["match": .bool(verdict.isMatch), "result": .string(verdict.name), "params": .object([:])]
    }
}

extension AppleLinkSettings {
    init(_ value: VectorValue?) {
        self.init(caseSensitive: value?["caseSensitive"]?.bool, percentEncoded: value?["percentEncoded"]?.bool)
    }
}

extension AppleLinkComponent {
    init(_ value: VectorValue) {
        let items = value["?"]?.object.map { Query.items($0.compactMapValues(\.string)) }
        self.init(
            path: value["/"]?.string, query: items ?? value["?"]?.string.map(Query.whole), fragment: value["#"]?.string,
            excludes: value["exclude"]?.bool ?? false, settings: AppleLinkSettings(value))
    }
}

extension AppleAppLinks.Detail {
    init(_ value: VectorValue) {
        self.init(
            appIDs: value["appIDs"]?.strings ?? value["appID"]?.string.map { [$0] } ?? [],
            components: value["components"]?.array?.map(AppleLinkComponent.init), paths: value["paths"]?.strings ?? [],
            defaults: AppleLinkSettings(value["defaults"]))
    }
}

extension AndroidLinkComponent {
    init(_ value: VectorValue) {
        self.init(
            path: value["/"]?.string, query: value["?"]?.object?.compactMapValues(\.string), fragment: value["#"]?.string,
            excludes: value["exclude"]?.bool ?? false)
    }
}

// MARK: Results

extension RouteValue {
    init?(_ value: VectorValue) {
        switch value {
        case .string(let text): self = .text(text)
        case .integer(let number): self = .integer(number)
        case .decimal(let number): self = .decimal(number)
        case .null, .bool, .array, .object: return nil
        }
    }
}

extension VectorValue {
    init(_ value: RouteValue) {
        switch value {
        case .text(let text): self = .string(text)
        case .integer(let number): self = .integer(number)
        case .decimal(let number): self = .decimal(number)
        }
    }

    init(_ entity: WAAppEntity) {
        self = .object([
            "path": .string(entity.path), "class": VectorValue(entity.targetClass),
            "source_class": VectorValue(entity.sourceClass), "modal": .bool(entity.isModal),
        ])
    }

    init(_ event: RootsEvent) {
        var fields = ["name": VectorValue.string(event.name)]
        switch event {
        case .applicationLaunched(let appName, let storeID):
            fields["app_name"] = VectorValue(appName)
            fields["app_store_id"] = VectorValue(storeID)
        case .fallbackURLOpened(let url): fields["url"] = .string(url)
        case .appStoreOpened(let appName, let storeID):
            fields["app_name"] = VectorValue(appName)
            fields["app_store_id"] = .string(storeID)
        case .invalidURL: fields["error"] = .string("invalid_url")
        }
        self = .object(fields)
    }
}
