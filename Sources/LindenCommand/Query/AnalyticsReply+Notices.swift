import LindenKernel
import LindenReporting

extension AnalyticsReply {
    /// The metadata as sentences for readers, one for each item.
    var notices: [String] {
        var notices = warnings
        if isEstimated { notices.append("Counts of devices over more than a day are estimates: standard error about 3 %.") }
        if let since = missing.keptSince { notices.append("Counted from rows, which are kept since \(since.iso8601).") }
        if missing.erased > 0 {
            let rows = missing.erased == 1 ? "1 row" : "\(missing.erased) rows"
            notices.append("Counted without \(rows) of this time that privacy requests erased.")
        }
        return notices
    }
}
