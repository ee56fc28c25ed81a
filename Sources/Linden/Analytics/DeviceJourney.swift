/// A device's first session of an app, and what brought it.
package struct Install: Sendable {
    package let id: Session.ID
    package let device: Device.ID
    package let link: Link.ID?
    package let click: Click.ID?

    package init(id: Session.ID, device: Device.ID, link: Link.ID?, click: Click.ID?) {
        self.id = id
        self.device = device
        self.link = link
        self.click = click
    }
}

/// What devices did, read from indexes alone: a million rows take less than a second. Each visits what lies from one id on and before another,
/// in the order of ids.
package protocol DeviceJourneyReader {
    func installs(of scope: Scope, from first: Int64, before end: Int64, _ visit: (Install) -> Void) throws
    /// Every session with its kind, but for changes of the user.
    func openings(
        of scope: Scope, from first: Int64, before end: Int64, _ visit: (Session.ID, Device.ID, Session.Kind) -> Void) throws
    /// The events of devices stored under any of these names, of which there must be one; all of them in one order of ids.
    func events(
        named names: [String], of scope: Scope, from first: Int64, before end: Int64, _ visit: (Event.ID, Device.ID) -> Void) throws
    /// The events of devices that earned revenue, with the amount in the reporting currency.
    func payments(
        of scope: Scope, from first: Int64, before end: Int64, _ visit: (Event.ID, Device.ID, _ revenue: Money) -> Void) throws
    /// The labels of a link; of a long link those that the click itself says.
    func labels(of link: Link.ID, click: Click.ID?) throws -> ActivityLabels
    /// What a device is counted under.
    func place(of device: Device.ID) throws -> (platform: String, country: String)
}

/// Tells what installs are counted under, and asks about each link once.
struct InstallValues {
    let reader: any Reader
    let dimension: Dimension?
    private var labels: [Link.ID: ActivityLabels] = [:]

    init(_ reader: any Reader, by dimension: Dimension?) {
        self.reader = reader
        self.dimension = dimension
    }

    /// Empty for none.
    mutating func value(of install: Install) throws -> String {
        switch dimension {
        case .link: install.link?.description ?? ""
        case .platform: try reader.place(of: install.device).platform
        case .country: try reader.place(of: install.device).country
        case .channel: try labels(of: install)?.channel ?? ""
        case .campaign: try labels(of: install)?.campaign ?? ""
        case .feature: try labels(of: install)?.feature ?? ""
        default: ""
        }
    }

    private mutating func labels(of install: Install) throws -> ActivityLabels? {
        guard let link = install.link else { return nil }
        if link == .long { return try reader.labels(of: link, click: install.click) }
        if let known = labels[link] { return known }
        let found = try reader.labels(of: link, click: nil)
        labels[link] = found
        return found
    }
}
