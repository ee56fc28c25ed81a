import Linden
import LindenKernel

/// A cohort report: what devices did after an install or a re-engagement. Each group of devices has one value for each measure and each
/// band, that is each day, week or month since.
package struct CohortReport: Sendable {
    /// The kind of session that makes a device a member.
    package enum Source: String, Sendable, CaseIterable {
        case install = "install_cohort"
        /// A session that is not an install and is credited to a link or an ad.
        case reengagement = "reengagement_cohort"

        var topics: [Topic] { self == .install ? [.install] : [.open, .reinstall, .webSession] }
    }

    /// The length of a band, in days, weeks or months of the span's zone.
    package enum Unit: String, Sendable, CaseIterable {
        case day, week, month
    }

    /// A dimension of the session that made a device a member.
    package enum Grouping: Sendable, Equatable {
        /// The day of the session.
        case day
        case by(Dimension)
    }

    package let source: Source
    package let measures: [CohortMeasure]
    package let unit: Unit
    /// The number of bands. The first one begins with the session itself.
    package let bands: Int
    /// Whether the value of a band includes all bands before it.
    package let isCumulative: Bool
    /// Whether values are divided by the number of members.
    package let isPerUser: Bool
    /// Whether measures of events count devices instead of events.
    package let isUnique: Bool
    /// The names of the groupings in the caller's spelling, in order.
    package let names: [String]
    let groupings: [Grouping]
    /// The index of the grouping that rows are ordered by; nil to order by the number of members.
    let orderedBy: Int?
    let order: AnalyticsQuery.Order
    let limit: Int
    /// The query for the sessions that make devices members.
    let sessions: AnalyticsQuery

    package static let mostMeasures = 3
    package static let mostBands = 366
    package static let mostGroupings = 11

    /// Fails with `invalid` if a limit is exceeded, a grouping is repeated, or `orderedBy` is not one of the groupings.
    ///
    /// - Parameter asOf: the moment from which on rows are ignored.
    package init(
        scope: Scope, source: Source, span: AnalyticsSpan, asOf: Timestamp, measures: [CohortMeasure], unit: Unit = .day,
        bands: Int,
        isCumulative: Bool = false, isPerUser: Bool = false, isUnique: Bool = false,
        groupings: [(name: String, grouping: Grouping)] = [], filters: [AnalyticsQuery.Filter] = [],
        order: AnalyticsQuery.Order = .descending, orderedBy: String? = nil, limit: Int? = nil
    ) throws {
        guard (1...Self.mostMeasures).contains(measures.count) else {
            throw Failure.invalid("measures must name 1 to \(Self.mostMeasures).")
        }
        guard (1...Self.mostBands).contains(bands) else {
            throw Failure.invalid("granularity_band_count must be from 1 to \(Self.mostBands).")
        }
        guard groupings.count <= Self.mostGroupings, Set(groupings.map(\.name)).count == groupings.count else {
            throw Failure.invalid("dimensions may name at most \(Self.mostGroupings), each once.")
        }
        names = groupings.map(\.name)
        self.orderedBy = try orderedBy.map { name in
            guard let index = groupings.firstIndex(where: { $0.name == name }) else {
                throw Failure.invalid("ordered_by must be one of the requested dimensions.")
            }
            return index
        }
        let limit = limit ?? AnalyticsQuery.mostRows
        guard (1...AnalyticsQuery.mostRows).contains(limit) else {
            throw Failure.invalid("limit must be from 1 to \(AnalyticsQuery.mostRows).")
        }
        // Two names may stand for one dimension, for example one of the session and one of the device.
        let dimensions = groupings.compactMap { if case .by(let dimension) = $0.grouping { dimension } else { nil } }
        var sessions = try AnalyticsQuery(
            scope: scope, topics: source.topics, span: span, dimensions: Array(Set(dimensions)),
            filters: filters + (source == .reengagement ? [try AnalyticsQuery.Filter("attributed", ["true"])] : []))
        sessions.asOf = asOf
        self.sessions = sessions
        self.groupings = groupings.map(\.grouping)
        self.source = source
        self.measures = measures
        self.unit = unit
        self.bands = bands
        self.isCumulative = isCumulative
        self.isPerUser = isPerUser
        self.isUnique = isUnique
        self.order = order
        self.limit = limit
    }

    /// Returns the values of a row's groupings.
    ///
    /// - Parameter values: the values of the dimensions of ``sessions``.
    func values(_ values: [String], day: Int64) -> [String] {
        groupings.map { grouping in
            switch grouping {
            case .day: String(Timestamp(milliseconds: day * Timestamp.millisecondsPerDay).iso8601.prefix(10))
            case .by(let dimension): sessions.dimensions.firstIndex(of: dimension).map { values[$0] } ?? ""
            }
        }
    }
}

extension CohortReport.Grouping {
    /// Reads one of Branch's names for cohorts (`install_activity_touch_data_tilde_campaign`, `reengagement_activity_data_os`) or any name
    /// that ``Dimension`` reads. Fails with `invalid` for an unknown name.
    package init(named name: String) throws {
        guard let prefix = ["install_activity_", "reengagement_activity_"].first(where: name.hasPrefix) else {
            self = .by(try Dimension(named: name))
            return
        }
        let rest = String(name.dropFirst(prefix.count))
        switch rest {
        case "timezone_adjusted_day": self = .day
        case "event_name": self = .by(.name)
        case "data_country_code": self = .by(.country)
        case "attributed": self = .by(.attributed)
        case "touch_type": self = .by(try Dimension(named: "last_attributed_touch_type"))
        // An example in Branch's documentation omits `touch_`.
        case _ where rest.hasPrefix("touch_data_") || rest.hasPrefix("data_tilde_"):
            let label = rest.dropFirst(rest.hasPrefix("touch_") ? "touch_data_".count : "data_".count)
            // Some labels have a column of their own for installs or re-engagements.
            let isColumn = ExportColumn.known.contains(name) && label.hasPrefix("tilde_customer_")
            self = .by(isColumn ? .touch("~" + label.dropFirst("tilde_".count)) : try Dimension(named: ExportTouch.prefix + label))
        case _ where rest.hasPrefix("data_"): self = .by(try Dimension(named: "user_" + rest))
        default: throw Failure.invalid("\(name) is not a dimension of cohorts. \(Self.allowed)")
        }
    }

    private static let allowed = """
        Dimensions are those of /v1/query/analytics, and of the session that began a cohort such as \
        install_activity_touch_data_tilde_campaign, install_activity_data_os and install_activity_timezone_adjusted_day.
        """
}
