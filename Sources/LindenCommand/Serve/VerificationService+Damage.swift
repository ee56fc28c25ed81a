import LindenServices
import Logging
import SQLStorage

extension VerificationService {
    /// Checks the database's pages for up to ten seconds, which covers all of them in small databases, and logs damage.
    func reportDamage(to logger: Logger, _ health: StorageHealth) async {
        do {
            switch try await damage(within: .seconds(10)) {
            case nil:
                logger.info("The check of the database's pages was stopped after 10 seconds; linden verify checks all of them.")
            case []?: break
            case let damage?:
                health.didFindDamage()
                logger.error(
                    "The database is damaged; restore it from a backup. linden verify lists what is damaged.",
                    metadata: ["damage": "\(damage[0])", "count": "\(damage.count)"])
            }
        } catch {
            logger.warning("The database's pages could not be checked.", metadata: ["error": "\(error)"])
        }
    }
}
