import Foundation
import OutgoingHTTP
import Testing

func rss() -> String {
    (try! String(contentsOfFile: "/proc/self/status", encoding: .utf8)).split(separator: "\n").first { $0.hasPrefix("VmRSS") }.map(
        String.init) ?? ""
}
func fds() -> Int { (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count) ?? -1 }

@Suite(.serialized) struct Probe {
    @Test func probe() async throws {
        try await TestServer.run { _ in
            .ok("logo")
        } test: { server in
            let client = GuardedClient.reaching(server)
            for scheme in ["http", "https"] {
                let t = ContinuousClock.now
                for i in 0..<1001 {
                    _ = try? await client.get("\(scheme)://127.0.0.1:\(server.port)/", limit: 10, timeout: .seconds(5))
                    if i % 250 == 0 { print("PROBE", scheme, i, rss(), fds(), (ContinuousClock.now - t) / max(i, 1)) }
                }
            }
        }
    }
}
