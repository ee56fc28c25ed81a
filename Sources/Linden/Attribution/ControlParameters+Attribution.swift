import LinkRouting

/// What a link asks of attribution (Branch's deep-link reference).
extension ControlParameters {
    /// `$deeplink_no_attribution`: the app gets the data, and the link is given no credit for it.
    var isWithoutAttribution: Bool { flag("$deeplink_no_attribution", default: false) || isWithoutRecord }

    /// `$do_not_process`: beside that, nothing of the visit is kept but what the data is delivered by.
    package var isWithoutRecord: Bool { flag("$do_not_process", default: false) }
}

extension Link {
    /// The `$` keys and labels with those in front that were appended when it was clicked.
    func controlParameters(appended query: String?) -> ControlParameters {
        guard !isLong, let query else { return controlParameters }
        return controlParameters.overridden(by: URLParts.queryItems(query))
    }
}

extension Click {
    /// The click as it is logged where its link asks not to be counted or recorded: the address and the system stay, by which an install
    /// is given the link's data.
    func kept(as parameters: ControlParameters) -> Click {
        guard parameters.isWithoutAttribution else { return self }
        let isRecorded = !parameters.isWithoutRecord
        return Click(
            id: id, link: link, scope: scope,
            visitor: isRecorded
                ? visitor
                : Visitor(platform: visitor.platform, os: visitor.os, osVersion: visitor.osVersion, robot: visitor.robot),
            address: address, addressClass: addressClass, userAgent: isRecorded ? userAgent : "",
            referrer: isRecorded ? referrer : nil, referrerHost: isRecorded ? referrerHost : nil, query: query, action: action,
            reason: reason, browser: isRecorded ? browser : nil, via: via, isCounted: false)
    }
}
