import LinkRouting

extension PendingClick {
    /// A pending click for a click that is not a robot's, is on an OS that has apps, and leads to the app; nil otherwise.
    init?(
        _ click: Click, leadingTo destination: Destination, language: String?, appended: String?, window: Duration,
        at time: Timestamp
    ) {
        guard click.visitor.robot == nil, destination.canOpenApp, let os = click.visitor.os,
            !click.address.isEmpty, window > .zero
        else { return nil }
        self.init(
            click: click.id, link: click.link,
            fingerprint: Fingerprint(scope: click.scope, address: click.address, os: os, osVersion: click.visitor.osVersion ?? ""),
            model: click.visitor.model, language: language, addressClass: click.addressClass,
            expiresAt: time + window, appended: appended)
    }
}
