/// The maker of a device, as far as its model's name reveals it. Some have app stores of their own, to which a link may lead.
public enum DeviceMaker: String, Sendable, Hashable, CaseIterable {
    case apple, samsung, google, huawei, honor, amazon, xiaomi, oppo, realme, vivo, motorola, sony, lg, nokia, asus, lenovo, zte
    case onePlus = "oneplus"
    case tecno, infinix, itel, nothing, fairphone, tcl, cubot
}

extension DeviceMaker {
    /// Determines the maker of an Android device from its model, or from marks in the user agent that only one maker uses, such as its
    /// browser or services.
    init?(model: String?, _ text: UserAgentText) {
        let marked = text.words.lazy.compactMap { Self.marks[$0.name] }.first
        if let model, let maker = DeviceMaker(model: model) {
            // Huawei's last phones before Honor was sold, such as the ELS-NX9, have Honor's codes and Huawei's services.
            self = maker == .honor && marked == .huawei ? .huawei : maker
        } else if let marked {
            self = marked
        } else if let build = text.words.first(where: { $0.name == "build" })?.value, let maker = DeviceMaker(model: String(build))
        {
            self = maker
        } else {
            return nil
        }
    }

    init?(model: String) {
        let name = model.lowercased()
        if let (_, maker) = Self.beginnings.first(where: { name.hasPrefix($0.0) }) {
            self = maker
        } else if let maker = Self.byCode(name) {
            self = maker
        } else {
            return nil
        }
    }

    private static let marks: [String: DeviceMaker] = [
        "samsungbrowser": .samsung, "huaweibrowser": .huawei, "hmscore": .huawei, "harmonyos": .huawei, "silk": .amazon,
        "miuibrowser": .xiaomi, "heytapbrowser": .oppo, "vivobrowser": .vivo,
    ]

    private static let beginnings: [(String, DeviceMaker)] = [
        ("sm-", .samsung), ("samsung", .samsung), ("galaxy", .samsung), ("gt-", .samsung), ("sc-", .samsung), ("scg", .samsung),
        ("scv", .samsung), ("sgh-", .samsung), ("sch-", .samsung), ("shv-", .samsung),
        ("pixel", .google), ("nexus", .google),
        ("kf", .amazon), ("aft", .amazon), ("aeo", .amazon), ("kindle", .amazon), ("sd4930ur", .amazon),
        ("huawei", .huawei), ("mediapad", .huawei), ("matepad", .huawei), ("honor", .honor),
        ("redmi", .xiaomi), ("poco", .xiaomi), ("xiaomi", .xiaomi), ("mi ", .xiaomi), ("mix ", .xiaomi), ("mibox", .xiaomi),
        ("oneplus", .onePlus), ("rmx", .realme), ("realme", .realme), ("cph", .oppo), ("oppo", .oppo), ("vivo", .vivo),
        ("moto", .motorola), ("xt1", .motorola), ("xt2", .motorola), ("xq-", .sony), ("so-", .sony), ("sov", .sony), ("sog", .sony),
        ("xperia", .sony), ("bravia", .sony), ("lm-", .lg), ("lg-", .lg), ("lgl", .lg), ("lgm", .lg), ("nokia", .nokia),
        ("ta-1", .nokia),
        ("asus", .asus), ("zenfone", .asus), ("lenovo", .lenovo), ("tb-", .lenovo), ("tb1", .lenovo), ("tb3", .lenovo),
        ("zte", .zte),
        ("tecno", .tecno), ("infinix", .infinix), ("itel", .itel), ("nothing", .nothing), ("a063", .nothing), ("a065", .nothing),
        ("fp3", .fairphone), ("fp4", .fairphone), ("fp5", .fairphone), ("fairphone", .fairphone), ("tcl", .tcl), ("cubot", .cubot),
    ]

    /// Returns the maker of a model that is a bare code; nil if unknown.
    private static func byCode(_ model: String) -> DeviceMaker? {
        let characters = Array(model.utf8.prefix(24))
        // Vivo: V and four digits, V2034A.
        if characters.count >= 5, characters[0] == UInt8(ascii: "v"), characters[1...4].allSatisfy(isDigit) { return .vivo }
        // Xiaomi: the year and month of manufacture, 2201116SG; Mi models have a prefix M, M2101K6G.
        let number = characters.first == UInt8(ascii: "m") ? characters.dropFirst()[...] : characters[...]
        if number.count >= 7, number.first == UInt8(ascii: "2"), number.prefix(4).allSatisfy(isDigit), !number.allSatisfy(isDigit) {
            return .xiaomi
        }
        return huaweiOrHonor(model)
    }

    /// Huawei: three letters, optionally a digit, and the edition: VOG-L29, ANE-LX1, BAH3-W09. Honor, part of Huawei until 2020, is
    /// recognized only by the editions that it has introduced since.
    private static func huaweiOrHonor(_ model: String) -> DeviceMaker? {
        let parts = model.split(separator: "-", omittingEmptySubsequences: false)
        guard parts.count == 2, (3...5).contains(parts[0].count), parts[0].prefix(3).allSatisfy({ $0.isASCII && $0.isLetter })
        else {
            return nil
        }
        if parts[1].hasPrefix("nx") { return .honor }
        let edition = parts[1].drop { $0.isASCII && $0.isLetter }
        let letters = parts[1].prefix(parts[1].count - edition.count)
        return ["l", "lx", "al", "tl", "w", "dl", "cl", "bx"].contains(letters) && edition.first?.isNumber == true ? .huawei : nil
    }

    private static func isDigit(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
    }
}
