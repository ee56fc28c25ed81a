import LindenKernel
import LindenServices
import Logging
import OutgoingHTTP
import ServiceLifecycle
import Traces

/// A service that sends the spans of traced requests to a collector, once a second and once more when the server has ended.
actor TraceService: Service {
    private let tracer: Tracer
    private let settings: TraceSettings
    private let logger: Logger
    /// When a failure was last said.
    private var warnedAt: ContinuousClock.Instant?

    init(tracer: Tracer, settings: TraceSettings, logger: Logger) {
        self.tracer = tracer
        self.settings = settings
        self.logger = logger
    }

    private static let interval: Duration = .seconds(1)
    private static let timeout: Duration = .seconds(5)

    func run() async throws {
        await cancelWhenGracefulShutdown {
            while (try? await Task.sleep(for: Self.interval)) != nil { await self.send() }
        }
        await send()
    }

    /// Spans that cannot be sent are lost, which is said once a minute.
    private func send() async {
        let (spans, dropped) = tracer.take()
        guard !spans.isEmpty, let problem = await problem(sending: spans, dropped) else { return }
        guard warnedAt.map({ ContinuousClock.now - $0 > .seconds(60) }) ?? true else { return }
        warnedAt = .now
        logger.warning("Traces could not be sent.", metadata: ["endpoint": "\(settings.endpoint)", "reason": "\(problem)"])
    }

    private func problem(sending spans: [Span], _ dropped: Int) async -> String? {
        let body = Array(JSON.object(OTLP.json(spans, version: LindenVersion.description)).text.utf8)
        do {
            let status = try await DirectClient.post(body, to: settings.endpoint, headers: settings.headers, timeout: Self.timeout)
            guard (200..<300).contains(status) else { return "It answers \(status)." }
            return dropped > 0 ? "There were \(dropped) spans too many in a second." : nil
        } catch {
            return "\(error)"
        }
    }
}
