import SQLStorage
import ServiceLifecycle

/// Tells the storage when the server begins to stop, so that running questions do not keep it from doing so. The last of the services, which
/// stop in turn, the last one first.
struct StopNotice: Service {
    let storage: any SQLDatabase

    func run() async throws {
        try await gracefulShutdown()
        storage.hurryQuestions()
    }
}
