import Linden

/// How somebody came to a link.
enum Channel: Sendable, Hashable {
    /// A newsletter or push: many get it at once.
    case blast
    case post
    /// Somebody's own link, sent to a friend.
    case referral
    case advertisement
    /// An employer asks everybody in the office.
    case invitation
}

/// What somebody does who was told of an app under the same roof.
enum Neighbour: Sendable, Hashable {
    case clicksSame, clicksOwn, searchesStore
}

/// What somebody clicks: a link with the data behind it.
struct Target: Sendable, Hashable {
    let link: Int
    /// Equal for clicks that lead to the same data.
    let content: String

    /// - Parameter appended: what is added to the link for one person.
    init(link: Int, appended: String = "") {
        self.link = link
        content = "\(link)?\(appended)"
    }
}

/// The links of all apps, and when those are sent that are sent to many.
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
    /// So far, for what is appended to links.
    private var recipients = 0

    /// The first link of each app's number range.
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

    /// What somebody comes to by a channel, and when if that is not a matter of his own day.
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
