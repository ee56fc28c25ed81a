/// The answer to an analytics question. Its rows are values; LindenAPI has their JSON.
package struct AnalyticsReply: Sendable {
    package enum Rows: Sendable {
        case counts([AnalyticsAnswer.Row], AnalyticsQuery)
        case top([AnalyticsAnswer.Row], AnalyticsQuery)
        case funnels([Funnel], by: Dimension?)
        case cohorts([Cohort])
        case lifetimeValues([LifetimeValue], by: Dimension)
        case attribution(AttributionSummary)
    }

    package let rows: Rows
    /// The captions of links by their values of ``Dimension/link``; nil unless the rows are grouped by link.
    package let links: [String: LinkCaption]?
    /// The number of rows on all pages; nil for questions without pages.
    package let totalRows: Int?
    /// Whether figures are estimates, as counts of devices over several days may be.
    package let isEstimated: Bool
    package let missing: MissingRows
    /// One sentence for each event name in the question that was never recorded.
    package let warnings: [String]
    /// The figures of the period before; nil unless they were asked for, and if there are too many.
    package let previous: PreviousFigures?

    package init(
        rows: Rows, links: [String: LinkCaption]? = nil, totalRows: Int? = nil, isEstimated: Bool = false,
        missing: MissingRows = MissingRows(), warnings: [String] = [], previous: PreviousFigures? = nil
    ) {
        self.rows = rows
        self.links = links
        self.totalRows = totalRows
        self.isEstimated = isEstimated
        self.missing = missing
        self.warnings = warnings
        self.previous = previous
    }
}
