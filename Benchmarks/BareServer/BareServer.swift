import Hummingbird
import Logging

/// The baseline of the speed benchmark: the same framework without storage. Answers each GET with a constant redirect, each POST with the
/// request's body.
@main
enum BareServer {
    static func main() async throws {
        let router = Router()
        router.get("/**") { _, _ in
            Response(status: .found, headers: [.location: "https://orchard.example.com/apples/17", .cacheControl: "no-store"])
        }
        router.post("/**") { request, _ in
            let body = try await request.body.collect(upTo: 1 << 20)
            return Response(status: .ok, headers: [.contentType: "application/json"], body: ResponseBody(byteBuffer: body))
        }
        var logger = Logger(label: "bare")
        logger.logLevel = .error
        let port = CommandLine.arguments.dropFirst().first.flatMap(Int.init) ?? 8081
        let application = Application(
            router: router, configuration: .init(address: .hostname("127.0.0.1", port: port)), logger: logger)
        try await application.runService()
    }
}
