/// JSON form of evidence, as it is stored with a session. Absent values are left out.
extension Evidence {
    package var json: JSON {
        var members = JSONObject()
        switch linkClick {
        case .none: break
        case .unknown: members["link_click"] = "unknown"
        case .usedUp: members["link_click"] = "used_up"
        case .found(let click): members["link_click"] = click.json
        }
        switch linkURL {
        case .none: break
        case .foreign: members["link_url"] = "foreign"
        case .ended: members["link_url"] = "ended"
        case .found(let link): members["link_url"] = ["link": .integer(link.rawValue)]
        }
        if let browserClick { members["browser"] = browserClick.json }
        if let deviceClick { members["device_id"] = deviceClick.json }
        if let searchAd { members["search_ad"] = searchAd.json }
        if let fingerprintSignals { members["fingerprint"] = fingerprintSignals.json }
        if !isAddressKept { members["address_kept"] = false }
        if !isFingerprintAllowed { members["fingerprint_allowed"] = false }
        if !mayBeReferred { members["referrable"] = false }
        return .object(members)
    }

    /// Nil for JSON that is not evidence of this format.
    package init?(json: JSON) {
        guard let members = json.object else { return nil }
        self.init()
        switch members["link_click"] {
        case nil: break
        case .string(let text): linkClick = text == "used_up" ? .usedUp : .unknown
        case let value?:
            guard let click = DeterministicClick(json: value) else { return nil }
            linkClick = .found(click)
        }
        switch members["link_url"] {
        case nil: break
        case .string(let text): linkURL = text == "ended" ? .ended : .foreign
        case let value?:
            guard let link = value.object?["link"]?.int64 else { return nil }
            linkURL = .found(link: Link.ID(rawValue: link))
        }
        browserClick = members["browser"].flatMap(DeterministicClick.init)
        deviceClick = members["device_id"].flatMap(DeterministicClick.init)
        searchAd = members["search_ad"].flatMap(SearchAdAttribution.init)
        fingerprintSignals = members["fingerprint"].flatMap(FingerprintSignals.init)
        mayBeReferred = members["referrable"] != false
        isFingerprintAllowed = members["fingerprint_allowed"] != false
        isAddressKept = members["address_kept"] != false
    }
}

extension Evidence.DeterministicClick {
    fileprivate var json: JSON {
        ["click": .integer(click.rawValue), "link": .integer(link.rawValue), "age": .integer(age), "window": .integer(window)]
    }

    fileprivate init?(json: JSON) {
        guard let members = json.object, let click = members["click"]?.int64, let link = members["link"]?.int64,
            let age = members["age"]?.int64, let window = members["window"]?.int64
        else { return nil }
        self.init(click: Click.ID(rawValue: click), link: Link.ID(rawValue: link), age: age, window: window)
    }
}

extension Evidence.SearchAdAttribution {
    fileprivate var json: JSON {
        var members: JSONObject = ["labels": .object(labels), "window": .integer(window)]
        if let age { members["age"] = .integer(age) }
        if !counts { members["counts"] = false }
        return .object(members)
    }

    fileprivate init?(json: JSON) {
        guard let members = json.object, let labels = members["labels"]?.object, let window = members["window"]?.int64 else {
            return nil
        }
        self.init(labels: labels, counts: members["counts"] != false, age: members["age"]?.int64, window: window)
    }
}

extension Evidence.Traits {
    fileprivate var json: JSON {
        var members: JSONObject = ["os": .string(os)]
        if let osVersion { members["os_version"] = .string(osVersion) }
        if let model { members["model"] = .string(model) }
        if let screen { members["screen"] = .string(screen.text) }
        if let language { members["language"] = .string(language) }
        return .object(members)
    }

    fileprivate init?(json: JSON?) {
        guard let members = json?.object, let os = members["os"]?.string else { return nil }
        self.init(
            os: os, osVersion: members["os_version"]?.string, model: members["model"]?.string,
            screen: members["screen"]?.string.flatMap(Screen.init), language: members["language"]?.string
        )
    }
}

extension Evidence.Commonness {
    fileprivate var json: JSON {
        var members = JSONObject()
        if let osVersion { members["os_version"] = .integer(osVersion) }
        if let model { members["model"] = .integer(model) }
        if let screen { members["screen"] = .integer(screen) }
        return .object(members)
    }

    fileprivate init?(json: JSON) {
        guard let members = json.object else { return nil }
        self.init(
            osVersion: members["os_version"]?.int64, model: members["model"]?.int64, screen: members["screen"]?.int64)
    }
}

extension Evidence.FingerprintSignals {
    /// The version of evidence that names none.
    private static let firstVersion = 5

    fileprivate var json: JSON {
        var density: JSONObject = ["devices": .integer(self.density.devices), "clicks": .integer(self.density.clicks)]
        if let alike = self.density.alike { density["alike"] = .integer(alike) }
        if let shared = self.density.isShared { density["shared"] = .string(shared) }
        var members: JSONObject = ["traits": traits.json, "density": .object(density), "clicks": .array(clicks.map(\.json))]
        if ruleVersion != Self.firstVersion { members["rules"] = JSON(ruleVersion) }
        if isIPv6 { members["ipv6"] = true }
        if isCut { members["cut"] = true }
        if let installedAgo { members["installed_ago"] = .integer(installedAgo) }
        if isKnownDevice { members["known_device"] = true }
        if let commonness { members["commonness"] = commonness.json }
        if !appLanguages.isEmpty { members["app_languages"] = JSON(appLanguages) }
        return .object(members)
    }

    fileprivate init?(json: JSON) {
        guard let members = json.object, let traits = Evidence.Traits(json: members["traits"]),
            let clicks = members["clicks"]?.array
        else { return nil }
        let density = members["density"]?.object ?? [:]
        self.init(
            traits: traits, isIPv6: members["ipv6"] == true,
            density: Evidence.AddressDensity(
                devices: density["devices"]?.int64 ?? 0, clicks: density["clicks"]?.int64 ?? 0, alike: density["alike"]?.int64,
                isShared: density["shared"]?.string),
            clicks: clicks.compactMap(Evidence.SimilarClick.init), isCut: members["cut"] == true,
            installedAgo: members["installed_ago"]?.int64, isKnownDevice: members["known_device"] == true,
            commonness: members["commonness"].flatMap(Evidence.Commonness.init),
            appLanguages: (members["app_languages"]?.array ?? []).compactMap(\.string),
            ruleVersion: members["rules"]?.int64.flatMap(Int.init(exactly:)) ?? Self.firstVersion)
        guard self.clicks.count == clicks.count else { return nil }
    }
}

extension Evidence.SimilarClick {
    fileprivate var json: JSON {
        var members: JSONObject = [
            "click": .integer(click.rawValue), "link": .integer(link.rawValue), "content": .string(content), "age": .integer(age),
            "window": .integer(window), "traits": traits.json,
        ]
        if isClaimed { members["claimed"] = true }
        if !isAlive { members["alive"] = false }
        return .object(members)
    }

    fileprivate init?(json: JSON) {
        guard let members = json.object, let click = members["click"]?.int64, let link = members["link"]?.int64,
            let content = members["content"]?.string, let age = members["age"]?.int64, let window = members["window"]?.int64,
            let traits = Evidence.Traits(json: members["traits"])
        else { return nil }
        self.init(
            click: Click.ID(rawValue: click), link: Link.ID(rawValue: link), content: content, age: age, window: window,
            traits: traits, isClaimed: members["claimed"] == true, isAlive: members["alive"] != false)
    }
}
