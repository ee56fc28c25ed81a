import Linden
import Logging
import ServiceLifecycle

#if Country
    import Countries
#endif

/// Where the server learns which country an address is in: from the operator's file. Without one it never does.
struct CountrySource {
    private(set) var lookup: CountryLookup = { _ in nil }
    /// What must run beside the server.
    private(set) var services: [any Service] = []

    /// Fails with one line about the setting where the file cannot be used.
    init(path: String?, logger: Logger) throws {
        guard let path else { return }
        #if Country
            do {
                let database = try CountryDatabase(path: path)
                lookup = { database.country(of: $0.bytes) }
                services = [CountryFileService(database: database, path: path, logger: logger)]
            } catch let error as CountryFileError {
                throw Failure.setting(
                    "geo.country_file", path,
                    "must be a file in MaxMind's format that tells countries, such as GeoLite2-Country.mmdb (\(error.message))")
            }
        #else
            throw Failure.setting(
                "geo.country_file", path, "must be left out: this linden was built without countries (package trait Country)")
        #endif
    }
}

#if Country
    /// Goes on with a newer file within a second of its coming.
    private struct CountryFileService: Service {
        let database: CountryDatabase
        let path: String
        let logger: Logger

        func run() async throws {
            await cancelWhenGracefulShutdown {
                while (try? await Task.sleep(for: .seconds(1))) != nil { refresh() }
            }
        }

        private func refresh() {
            do {
                guard try database.refresh() else { return }
                logger.info("The file of countries was read anew.", metadata: ["path": "\(path)"])
            } catch {
                logger.warning(
                    "The new file of countries cannot be used: the old one stays.",
                    metadata: ["path": "\(path)", "reason": "\(error)"])
            }
        }
    }
#endif
