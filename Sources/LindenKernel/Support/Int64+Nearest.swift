extension Int64 {
    /// The whole number that is nearest to another one: the greatest or least for those beyond, 0 for none. Amounts of events may be any that
    /// fit, so quotients of their sums may be beyond; and so may be what another server calls its metrics.
    package init(nearest value: Double) {
        self = Int64(exactly: value.rounded()) ?? (value.isNaN ? 0 : value < 0 ? .min : .max)
    }
}
