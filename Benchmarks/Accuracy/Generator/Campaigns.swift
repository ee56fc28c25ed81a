import LindenKernel

/// The channel by which a person receives a link.
enum Channel: Sendable, Hashable {
    /// A newsletter or push message, sent to many people at once.
    case blast
    case post
    /// A person's own link, sent to a friend.
    case referral
    case advertisement
    /// An employer's request to all people of an office.
    case invitation
}

/// The action of a person who hears of an app in the same home or office.
enum Neighbour: Sendable, Hashable {
    case clicksSame, clicksOwn, searchesStore
}

/// The destination of a click: a link and its data.
struct Target: Sendable, Hashable {
    let link: Int
    /// Identifies the data: equal for clicks that lead to the same data.
    let content: String

    /// - Parameter appended: the query appended to the link for one person.
    init(link: Int, appended: String = "") {
        self.link = link
        content = "\(link)?\(appended)"
    }
}

/// The links of all apps, and the times at which mass messages are sent.
struct Campaigns: Sendable {
    struct Blast: Sendable {
        let sent: Timestamp
        let link: Int
        let isPersonal: Bool
    }

    private let apps = Weighted.zipf(Array(0..<Figures.apps), exponent: Figures.appZipf)
    private let channels = Weighted(Figures.channels)
    private let posts = Weighted.zipf(Array(0..<Figures.posts), exponent: Figures.linkZipf)
    private let advertisements = Weighted.zipf(Array(0..<Figures.advertisements), exponent: Figures.linkZipf)
    private var blasts: [[Blast]] = []
    private var nextLink: [Int]
    /// The number of recipients so far, used in appended queries.
    private var recipients = 0

    /// The size of each app's range of link numbers.
    private static let linksOfApp = 1_000_000

    static func app(of link: Int) -> Int { link / linksOfApp }

    init(_ random: inout SeededRandom) {
        nextLink = (0..<Figures.apps).map { $0 * Self.linksOfApp + Figures.posts + Figures.advertisements }
        for app in 0..<Figures.apps {
            blasts.append(
                (0..<Figures.blastsPerWeek * Figures.weeks).map { _ in
                    let time = Timetable.workingTime(in: Figures.regions[0].0, &random)
                    return Blast(sent: time, link: newLink(app), isPersonal: random.chance(Figures.personalBlasts))
                })
        }
    }

    func app(_ random: inout SeededRandom) -> Int { apps.pick(&random) }

    func channel(_ random: inout SeededRandom) -> Channel { channels.pick(&random) }

    /// Returns the link that a person receives by a channel, and the time of a mass message; nil for the person's own time.
    mutating func target(_ app: Int, by channel: Channel, _ random: inout SeededRandom) -> (Target, Timestamp?) {
        let first = app * Self.linksOfApp
        switch channel {
        case .post: return (Target(link: first + posts.pick(&random)), nil)
        case .advertisement: return (Target(link: first + Figures.posts + advertisements.pick(&random)), nil)
        case .referral, .invitation: return (Target(link: newLink(app)), nil)
        case .blast:
            let blast = blasts[app][random.number(below: blasts[app].count)]
            recipients += 1
            let target = Target(link: blast.link, appended: blast.isPersonal ? "u=\(recipients)" : "")
            return (target, blast.sent + random.logNormal(Figures.afterBlast))
        }
    }

    private mutating func newLink(_ app: Int) -> Int {
        nextLink[app] += 1
        return nextLink[app] - 1
    }
}
