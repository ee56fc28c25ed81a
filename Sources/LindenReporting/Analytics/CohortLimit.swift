import LindenKernel

/// The limits of what one cohort report holds in memory. Beyond each, it fails with `invalid`.
package struct CohortLimit: Sendable {
    private let devices: Int
    private let cohorts: Int
    private let figures: Int

    /// - Parameter figures: of cohorts, times bands, times measures.
    package init(devices: Int = 500_000, cohorts: Int = 100_000, figures: Int = 400_000) {
        self.devices = devices
        self.cohorts = cohorts
        self.figures = figures
    }

    func check(devices count: Int) throws {
        guard count <= devices else {
            throw Failure.invalid("The cohorts have more than \(devices) devices. Use a shorter span or a filter.")
        }
    }

    func check(cohorts count: Int, of report: CohortReport) throws {
        guard count <= cohorts else {
            throw Failure.invalid("The report has more than \(cohorts) cohorts. Use a shorter span or fewer dimensions.")
        }
        guard count * report.bands * report.measures.count <= figures else {
            throw Failure.invalid(
                "The report has more than \(figures) figures. Use a shorter span, fewer dimensions or fewer bands.")
        }
    }
}
