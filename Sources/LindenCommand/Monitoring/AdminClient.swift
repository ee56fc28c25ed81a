import Foundation
import LindenKernel
import OutgoingHTTP
import PrometheusMetrics

/// A client of a server's address for monitors.
struct AdminClient: Sendable {
    let address: AdminAddress

    private static let timeout: Duration = .seconds(5)
    private static let mostBytes = 4 << 20

    /// Returns the server's metrics, and why it is not ready; nil if it is. Fails with `unusable` if no server answers.
    func ask() async throws -> (metrics: MetricsText, problem: String?) {
        let ready = try await get("/readyz")
        let error = try? JSON.parse(String(decoding: ready.bytes, as: UTF8.self)).object?["error"]?.object?["message"]?.string
        return (try await metrics(), ready.status == 200 ? nil : error ?? "/readyz answers \(ready.status)")
    }

    func metrics() async throws -> MetricsText {
        let answer = try await get("/metrics")
        guard answer.status == 200 else {
            throw Failure.unusable("http://\(address)/metrics answers \(answer.status): it is not the admin address of a server.")
        }
        return MetricsText(String(decoding: answer.bytes, as: UTF8.self))
    }

    private func get(_ path: String) async throws -> (status: Int, bytes: [UInt8]) {
        do {
            let answer = try await DirectClient.getJSON("http://\(address)\(path)", limit: Self.mostBytes, timeout: Self.timeout)
            return (answer.status, Array(answer.bytes))
        } catch let error as DirectFetchError {
            throw Failure.unusable("No server answers at http.admin_address (\(address)): \(error)")
        }
    }
}
