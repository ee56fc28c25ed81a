import LindenKernel

/// The unclaimed clicks of people (not robots) within a time window, by app and address.
struct ClicksByAddress {
    private struct Key: Hashable {
        let app: Int
        let address: String
    }

    private let window: Duration
    private var clicks: [Key: [SimulatedClick]] = [:]

    init(window: Duration) {
        self.window = window
    }

    mutating func add(_ click: SimulatedClick) {
        guard !click.isRobot else { return }
        let key = Key(app: click.app, address: click.address.key)
        clicks[key, default: []].removeAll { $0.time + window < click.time }
        clicks[key, default: []].append(click)
    }

    /// Returns the clicks of the install's app and address that are within the window, oldest first.
    func clicks(for install: SimulatedInstall) -> [SimulatedClick] {
        let key = Key(app: install.app, address: install.address.key)
        return clicks[key, default: []].filter { $0.time + window >= install.time }
    }

    mutating func remove(_ click: SimulatedClick) {
        clicks[Key(app: click.app, address: click.address.key)]?.removeAll { $0.id == click.id }
    }
}
