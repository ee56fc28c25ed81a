import Linden

/// People's clicks that nobody has been given yet, by app and address, as long as a window lasts.
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

    /// Oldest first.
    func clicks(for install: SimulatedInstall) -> [SimulatedClick] {
        let key = Key(app: install.app, address: install.address.key)
        return clicks[key, default: []].filter { $0.time + window >= install.time }
    }

    mutating func remove(_ click: SimulatedClick) {
        clicks[Key(app: click.app, address: click.address.key)]?.removeAll { $0.id == click.id }
    }
}
