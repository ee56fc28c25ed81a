/// Attributes to the newest click of the same address and domain within an hour.
struct AddressBaseline: Attributor {
    let name = "c: address"

    private var recent = ClicksByAddress(window: .hours(1))

    mutating func click(_ click: SimulatedClick) { recent.add(click) }

    mutating func install(_ install: SimulatedInstall) -> Attribution? {
        guard let click = recent.clicks(for: install).last else { return nil }
        recent.remove(click)
        return Attribution(click)
    }
}
