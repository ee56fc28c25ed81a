import ArgumentParser

/// The assumptions about people, phones and networks that affect the result and have no published figure. Each has a command-line option;
/// published or unimportant figures are in ``Figures``.
struct Assumptions: ParsableArguments, Sendable {
    /// - Parameter arguments: command-line arguments.
    static func with(_ arguments: [String]) throws -> Assumptions { try parse(arguments) }

    static let standard: Assumptions = {
        guard let standard = try? Assumptions.parse([]) else { preconditionFailure("The defaults are allowed values.") }
        return standard
    }()

    @Option(help: "Clicks that lead to nothing for each that leads to an install. Source: the conversion rates in Figures.swift.")
    var idle = 7.0
    @Option(help: "Openings by people who have the app, for each install. Assumed: a young app; older ones have hundreds.")
    var known = 3.0
    @Option(help: "Households of a clicking person in which another has the app already. Assumed.")
    var holders = 0.15
    @Option(help: "Share of a holder's clicks after which the app is opened by hand, without an id. Assumed.")
    var byHand = 0.1
    @Option(help: "Housemates with the same system who have the same model and version. Assumed: bought together.")
    var twins = 0.2
    @Option(help: "Housemates with the same system, and other models, whose versions agree. Assumed: one update night.")
    var updateNight = 0.5
    @Option(help: "Companies that issue phones. Assumed.")
    var issuing = 0.5
    @Option(help: "Employees there who carry one, of one or two models, kept up to date. Assumed.")
    var companyPhones = 0.8
    @Option(help: "Factor for how many take part behind one shared address: 3 is dense, 0.3 sparse. Assumed.")
    var density = 1.0
    @Option(help: "Installs after which another under the same roof hears of the app. Assumed.")
    var wordOfMouth = 0.15
    @Option(help: "Clicks without an install after which another under the same roof hears of the app. Assumed.")
    var wordOfMouthIdle = 0.05
    @Option(help: "People whose requests leave through a VPN. Assumed.")
    var vpn = 0.04
    @Option(help: "Requests from dual-stack networks that come over IPv4. Assumed: Happy Eyeballs (RFC 8305).")
    var otherFamily = 0.1
    @Option(help: "Offices and hotspots with several egress addresses, any of them for any connection. Assumed.")
    var egress = 0.25
    @Option(help: "iPhones whose Display Zoom makes browser and SDK report different screens. Assumed.")
    var zoom = 0.05
    @Option(help: "iPads among Apple's devices; their Safari calls itself a Mac. Assumed.")
    var tablets = 0.06
    @Option(help: "Downloads that take a quarter of an hour rather than a minute. Assumed.")
    var slow = 0.06
    @Option(help: "Installs that are first opened hours later. Fitted to the published delays, with `delays` in Figures.swift.")
    var later = 0.15
    @Option(help: "SDKs that report when the app was installed. Assumed: the others are old.")
    var times = 0.92
    @Flag(help: "Every app is in English only. Otherwise two of four are.")
    var english = false
    @Flag(help: "Phones speak German as often as in Germany.")
    var german = false

    func validate() throws {
        for (name, share) in [
            ("holders", holders), ("by-hand", byHand), ("twins", twins), ("update-night", updateNight), ("issuing", issuing),
            ("company-phones", companyPhones), ("word-of-mouth", wordOfMouth), ("word-of-mouth-idle", wordOfMouthIdle),
            ("vpn", vpn),
            ("other-family", otherFamily), ("egress", egress), ("zoom", zoom), ("tablets", tablets), ("slow", slow),
            ("later", later), ("times", times),
        ] where !(0...1).contains(share) {
            throw ValidationError("--\(name) must be a share from 0 to 1, not \(share.short).")
        }
        guard (1...100).contains(idle) else { throw ValidationError("--idle must be from 1 to 100, not \(idle.short).") }
        guard (0...100).contains(known) else { throw ValidationError("--known must be from 0 to 100, not \(known.short).") }
        guard (0.05...20).contains(density) else {
            throw ValidationError("--density must be from 0.05 to 20, not \(density.short).")
        }
    }
}

extension Assumptions {
    /// The assumptions with one of them changed, for the sensitivity table.
    struct Variant: Sendable {
        let name: String
        let assumptions: Assumptions
    }

    /// The variants of the sensitivity table.
    var variants: [Variant] {
        [
            changed("idle 3") { $0.idle = 3 }, changed("idle 15") { $0.idle = 15 },
            changed("known 0") { $0.known = 0 }, changed("known 10") { $0.known = 10 },
            changed("holders 0.4") { $0.holders = 0.4 },
            changed("twins 0") { $0.twins = 0 }, changed("twins 0.4") { $0.twins = 0.4 },
            changed("update-night 0.9") { $0.updateNight = 0.9 },
            changed("density 0.3") { $0.density = 0.3 }, changed("density 3") { $0.density = 3 },
            changed("word-of-mouth 0.3, word-of-mouth-idle 0.15") { ($0.wordOfMouth, $0.wordOfMouthIdle) = (0.3, 0.15) },
            changed("vpn 0.15") { $0.vpn = 0.15 },
            changed("other-family 0.3") { $0.otherFamily = 0.3 },
            changed("times 0") { $0.times = 0 }, changed("times 1") { $0.times = 1 },
            changed("slow 0.3") { $0.slow = 0.3 },
            changed("english") { $0.english = true }, changed("english, german") { ($0.english, $0.german) = (true, true) },
        ]
    }

    private func changed(_ name: String, _ change: (inout Assumptions) -> Void) -> Variant {
        var assumptions = self
        change(&assumptions)
        return Variant(name: name, assumptions: assumptions)
    }
}
