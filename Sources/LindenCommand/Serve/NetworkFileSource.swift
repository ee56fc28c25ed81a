import LindenKernel
import Logging
import ServiceLifecycle

#if Country
    import MaxMindDB
#endif

/// A lookup of addresses in one of the operator's files in MaxMind's format. Without a file, it returns nil for every address.
struct NetworkFileSource<Value: Sendable> {
    private(set) var lookup: @Sendable (ClientAddress) -> Value? = { _ in nil }
    /// Services that reload the file; they run beside the server.
    private(set) var services: [any Service] = []
}

extension NetworkFileSource<String> {
    /// A lookup of an address's country. Fails with one line that names the setting if the file cannot be used.
    static func countries(path: String?, logger: Logger) throws -> Self {
        guard let path else { return Self() }
        #if Country
            return try Self(.country, of: path, setting: "geo.country_file", example: "GeoLite2-Country.mmdb", logger: logger)
        #else
            throw Failure.fileWithoutTrait("geo.country_file", path)
        #endif
    }
}

extension NetworkFileSource<UInt32> {
    /// A lookup of an address's autonomous system. Fails with one line that names the setting if the file cannot be used.
    static func owners(path: String?, logger: Logger) throws -> Self {
        guard let path else { return Self() }
        #if Country
            return try Self(.owner, of: path, setting: "attribution.owner_file", example: "GeoLite2-ASN.mmdb", logger: logger)
        #else
            throw Failure.fileWithoutTrait("attribution.owner_file", path)
        #endif
    }
}

#if Country
    extension NetworkFileSource {
        fileprivate init(_ fact: NetworkFact<Value>, of path: String, setting: String, example: String, logger: Logger) throws {
            do {
                let database = try NetworkDatabase(path: path, of: fact)
                lookup = { database.value(of: $0.bytes) }
                services = [NetworkFileService(database: database, name: fact.name, path: path, logger: logger)]
            } catch let error as NetworkFileError {
                throw Failure.setting(
                    setting, path,
                    "must be a file in MaxMind's format that tells \(fact.name), such as \(example) (\(error.message))")
            }
        }
    }

    /// A service that checks for a newer file once a second and loads it.
    private struct NetworkFileService<Value: Sendable>: Service {
        let database: NetworkDatabase<Value>
        let name: String
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
                logger.info("The file of \(name) was read again.", metadata: ["path": "\(path)"])
            } catch {
                logger.warning(
                    "The new file of \(name) cannot be used; the old one stays in use.",
                    metadata: ["path": "\(path)", "reason": "\(error)"])
            }
        }
    }
#else
    extension Failure {
        fileprivate static func fileWithoutTrait(_ setting: String, _ path: String) -> Failure {
            .setting(setting, path, "must be left out: this linden was built without files of networks (package trait Country)")
        }
    }
#endif
