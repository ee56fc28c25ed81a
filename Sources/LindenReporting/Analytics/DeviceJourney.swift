import Linden
import LindenKernel

/// An install: a device's first session of an app, and the link and click credited with it.
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

/// Reads what devices did, in the order of ids, from `first` up to but not including `end`. The visiting functions read from indexes alone:
/// a million rows take less than a second.
package protocol DeviceJourneyReader {
    func installs(of scope: Scope, from first: Int64, before end: Int64, _ visit: (Install) throws -> Void) throws
    /// Visits every session with its kind, except changes of the identity.
    func openings(
        of scope: Scope, from first: Int64, before end: Int64, _ visit: (Session.ID, Device.ID, Session.Kind) throws -> Void) throws
    /// Visits the events of devices that are stored under any of these names, in one order of ids. `names` must not be empty.
    func events(
        named names: [String], of scope: Scope, from first: Int64, before end: Int64, _ visit: (Event.ID, Device.ID) -> Void) throws
    /// Visits the events of devices that have revenue, with the amount in the reporting currency.
    func payments(
        of scope: Scope, from first: Int64, before end: Int64, _ visit: (Event.ID, Device.ID, _ revenue: Money) -> Void) throws
    /// Returns the labels of a link; for a long link, those in the query of the click.
    func labels(of link: Link.ID, click: Click.ID?) throws -> ActivityLabels
    /// Returns the platform and the country that a device is counted under; both are empty for an unknown device.
    func place(of device: Device.ID) throws -> (platform: String, country: String)
}

/// The limit of the installed devices that one query holds in memory, with about 60 bytes each.
package struct InstalledDeviceLimit: Sendable {
    private let most: Int

    package init(most: Int = 1_000_000) {
        self.most = most
    }

    /// Fails with `invalid` if there are more devices.
    func check(_ count: Int) throws {
        guard count <= most else {
            throw Failure.invalid("The span has more than \(most) installed devices. Use a shorter span.", at: "from")
        }
    }
}

/// Maps installs to the values they are counted under. The label of a link is read once, if there are not too many.
struct InstallValues {
    /// The most bytes of labels that are kept, about.
    private static let mostBytes = 8 << 20

    let reader: any DeviceJourneyReader
    let dimension: Dimension?
    private var labels: [Link.ID: String] = [:]
    private var bytes = 0

    init(_ reader: any DeviceJourneyReader, by dimension: Dimension?) {
        self.reader = reader
        self.dimension = dimension
    }

    /// Returns the value of the dimension; empty for none.
    mutating func value(of install: Install) throws -> String {
        switch dimension {
        case .link: install.link?.description ?? ""
        case .platform: try reader.place(of: install.device).platform
        case .country: try reader.place(of: install.device).country
        case .channel: try label(of: install, \.channel)
        case .campaign: try label(of: install, \.campaign)
        case .feature: try label(of: install, \.feature)
        default: ""
        }
    }

    private mutating func label(of install: Install, _ label: KeyPath<ActivityLabels, String>) throws -> String {
        guard let link = install.link else { return "" }
        if link == .long { return try reader.labels(of: link, click: install.click)[keyPath: label] }
        if let known = labels[link] { return known }
        let found = try reader.labels(of: link, click: nil)[keyPath: label]
        if bytes > Self.mostBytes { (labels, bytes) = ([:], 0) }
        labels[link] = found
        bytes += 64 + found.utf8.count
        return found
    }
}
