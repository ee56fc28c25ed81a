import Foundation
import Linden
import LindenAPI
import LindenKernel
import LindenServices
import Logging

/// The invitation of the dashboard's first user by a server that starts.
///
/// The address for setting the password is printed at a terminal only, where a person has just started the server, and not to a log, which
/// others may read and which is kept. It works once, for 7 days, and until the next start, which prints another.
struct FirstSetUp {
    let services: Services
    let settings: DashboardSettings
    let logger: Logger

    func announce() async throws {
        guard settings.isEnabled, services.dashboardUsers.acceptsSignIns else { return }
        guard isatty(STDERR_FILENO) == 1 else {
            if try await services.dashboardUsers.list().isEmpty {
                logger.info("The dashboard has no user yet: linden users create NAME --role admin")
            }
            return
        }
        let invited = try await OperatorCall.$current.withValue(OperatorCall.command()) {
            try await services.dashboardUsers.firstUserSecret()
        }
        guard let secret = invited else { return }
        let url = try settings.baseURL(services.baseURL).text + DashboardUser.setUpPath(secret)
        Output.say(
            "The dashboard has no user yet. Open this address once to choose the password of \(DashboardUserService.firstName):\n\(url)"
        )
    }
}
