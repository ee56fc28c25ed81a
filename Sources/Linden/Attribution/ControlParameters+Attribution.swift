import LindenKernel
import LinkRouting

/// The attribution options of a link (Branch's deep-link reference).
extension ControlParameters {
    /// `$deeplink_no_attribution`: the app gets the data, but nothing is attributed to the link. Implied by `$do_not_process`.
    var isWithoutAttribution: Bool { flag("$deeplink_no_attribution", default: false) || isWithoutRecord }

    /// `$do_not_process`: in addition, nothing of the visit is stored except what delivering the data needs.
    package var isWithoutRecord: Bool { flag("$do_not_process", default: false) }
}

extension Link {
    /// Returns the link's attribution options, overridden by those in the query that was appended when it was clicked. Other members of the
    /// data, which may be many, are not looked at.
    func attributionOptions(appended query: [QueryItem]) -> ControlParameters {
        var options = ControlParameters()
        for key in ["$deeplink_no_attribution", "$do_not_process"] {
            let appended = query.last { $0.name == key }?.value
            if let value = appended ?? data[key]?.scalarText { options.set(key, to: value) }
        }
        return options
    }
}
