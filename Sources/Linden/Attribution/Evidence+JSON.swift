import LindenKernel

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

    /// Nil for JSON of which any part is not evidence of this format.
    package init?(json: JSON) {
        guard let evidence = try? Evidence(stored: json) else { return nil }
        self = evidence
    }

    private init(stored json: JSON) throws {
        let members = try json.members("evidence")
        self.init(
            linkClick: try members.optional("link_click") { try LinkClick(json: $0) } ?? LinkClick.none,
            linkURL: try members.optional("link_url") { try LinkURL(json: $0) } ?? LinkURL.none,
            browserClick: try members.optional("browser") { try DeterministicClick(json: $0) },
            deviceClick: try members.optional("device_id") { try DeterministicClick(json: $0) },
            searchAd: try members.optional("search_ad") { try SearchAdAttribution(json: $0) },
            fingerprintSignals: try members.optional("fingerprint") { try FingerprintSignals(json: $0) },
            isAddressKept: try members.optional("address_kept") { $0.bool } ?? true)
        isFingerprintAllowed = try members.optional("fingerprint_allowed") { $0.bool } ?? true
        mayBeReferred = try members.optional("referrable") { $0.bool } ?? true
    }
}

extension Evidence.LinkClick {
    fileprivate init(json: JSON) throws {
        switch json {
        case .string("unknown"): self = .unknown
        case .string("used_up"): self = .usedUp
        default: self = .found(try Evidence.DeterministicClick(json: json))
        }
    }
}

extension Evidence.LinkURL {
    fileprivate init(json: JSON) throws {
        switch json {
        case .string("foreign"): self = .foreign
        case .string("ended"): self = .ended
        default: self = .found(link: Link.ID(rawValue: try json.members("link_url").required("link") { $0.int64 }))
        }
    }
}

extension JSON {
    /// The members of the object that `name` must be. Throws ``MemberError`` for any other value.
    fileprivate func members(_ name: String) throws -> JSONObject {
        guard let object else { throw MemberError(name: name) }
        return object
    }
}

extension Evidence.DeterministicClick {
    fileprivate var json: JSON {
        ["click": .integer(click.rawValue), "link": .integer(link.rawValue), "age": .integer(age), "window": .integer(window)]
    }

    fileprivate init(json: JSON) throws {
        let members = try json.members("click")
        self.init(
            click: Click.ID(rawValue: try members.required("click") { $0.int64 }),
            link: Link.ID(rawValue: try members.required("link") { $0.int64 }),
            age: try members.required("age") { $0.int64 }, window: try members.required("window") { $0.int64 })
    }
}

extension Evidence.SearchAdAttribution {
    fileprivate var json: JSON {
        var members: JSONObject = ["labels": .object(labels), "window": .integer(window)]
        if let age { members["age"] = .integer(age) }
        if !counts { members["counts"] = false }
        return .object(members)
    }

    fileprivate init(json: JSON) throws {
        let members = try json.members("search_ad")
        self.init(
            labels: try members.required("labels") { $0.object }, counts: try members.optional("counts") { $0.bool } ?? true,
            age: try members.optional("age") { $0.int64 }, window: try members.required("window") { $0.int64 })
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

    fileprivate init(json: JSON) throws {
        let members = try json.members("traits")
        self.init(
            os: try members.required("os") { $0.string }, osVersion: try members.optional("os_version") { $0.string },
            model: try members.optional("model") { $0.string },
            screen: try members.optional("screen") { $0.string.flatMap { Screen($0) } },
            language: try members.optional("language") { $0.string })
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

    fileprivate init(json: JSON) throws {
        let members = try json.members("commonness")
        self.init(
            osVersion: try members.optional("os_version") { $0.int64 }, model: try members.optional("model") { $0.int64 },
            screen: try members.optional("screen") { $0.int64 })
    }
}

extension Evidence.FingerprintSignals {
    /// The version of evidence that names none.
    private static let firstVersion = 5

    fileprivate var json: JSON {
        var members: JSONObject = ["traits": traits.json, "density": density.json, "clicks": .array(clicks.map(\.json))]
        if ruleVersion != Self.firstVersion { members["rules"] = JSON(ruleVersion) }
        if isIPv6 { members["ipv6"] = true }
        if isCut { members["cut"] = true }
        if let installedAgo { members["installed_ago"] = .integer(installedAgo) }
        if isKnownDevice { members["known_device"] = true }
        if let commonness { members["commonness"] = commonness.json }
        if !appLanguages.isEmpty { members["app_languages"] = JSON(appLanguages) }
        return .object(members)
    }

    fileprivate init(json: JSON) throws {
        let members = try json.members("fingerprint")
        self.init(
            traits: try members.required("traits") { try Evidence.Traits(json: $0) },
            isIPv6: try members.optional("ipv6") { $0.bool } ?? false,
            density: try members.optional("density") { try Evidence.AddressDensity(json: $0) } ?? Evidence.AddressDensity(),
            clicks: try members.required("clicks") { try $0.array?.map { try Evidence.SimilarClick(json: $0) } },
            isCut: try members.optional("cut") { $0.bool } ?? false,
            installedAgo: try members.optional("installed_ago") { $0.int64 },
            isKnownDevice: try members.optional("known_device") { $0.bool } ?? false,
            commonness: try members.optional("commonness") { try Evidence.Commonness(json: $0) },
            appLanguages: try members.optional("app_languages") { $0.strings } ?? [],
            ruleVersion: try members.optional("rules") { $0.int64.map { Int($0) } } ?? Self.firstVersion)
    }
}

extension Evidence.AddressDensity {
    fileprivate var json: JSON {
        var members: JSONObject = ["devices": .integer(devices), "clicks": .integer(clicks)]
        if let alike { members["alike"] = .integer(alike) }
        if let isShared { members["shared"] = .string(isShared) }
        return .object(members)
    }

    fileprivate init(json: JSON) throws {
        let members = try json.members("density")
        self.init(
            devices: try members.required("devices") { $0.int64 }, clicks: try members.required("clicks") { $0.int64 },
            alike: try members.optional("alike") { $0.int64 }, isShared: try members.optional("shared") { $0.string })
    }
}

extension JSON {
    /// The strings of an array of nothing else; nil for any other value.
    fileprivate var strings: [String]? {
        guard let array else { return nil }
        let strings = array.compactMap(\.string)
        return strings.count == array.count ? strings : nil
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

    fileprivate init(json: JSON) throws {
        let members = try json.members("clicks")
        self.init(
            click: Click.ID(rawValue: try members.required("click") { $0.int64 }),
            link: Link.ID(rawValue: try members.required("link") { $0.int64 }),
            content: try members.required("content") { $0.string }, age: try members.required("age") { $0.int64 },
            window: try members.required("window") { $0.int64 },
            traits: try members.required("traits") { try Evidence.Traits(json: $0) },
            isClaimed: try members.optional("claimed") { $0.bool } ?? false,
            isAlive: try members.optional("alive") { $0.bool } ?? true)
    }
}
