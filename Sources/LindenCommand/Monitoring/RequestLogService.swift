import Dispatch
import Foundation
import Server
import ServiceLifecycle

/// The service that writes the request log, five times a second and once more when the server has ended.
struct RequestLogService: Service {
    private static let interval: Duration = .milliseconds(200)
    /// The time in which a reader must take more, or the rest is dropped: a server must be able to stop.
    private static let patience: CInt = 2000
    /// A pipe that can be written takes as many bytes at once (PIPE_BUF).
    private static let pieceBytes = 4096

    let log: RequestLog
    /// An open file descriptor.
    let output: CInt
    private let queue = DispatchQueue(label: "linden.request-log")

    init(log: RequestLog, output: CInt) {
        self.log = log
        self.output = output
    }

    func run() async throws {
        await cancelWhenGracefulShutdown {
            while (try? await Task.sleep(for: Self.interval)) != nil { await write() }
        }
        await write()
    }

    /// Writes on a thread that may wait for the reader.
    private func write() async {
        let lines = log.take()
        guard !lines.isEmpty else { return }
        await withCheckedContinuation { continuation in
            queue.async {
                log.drop(Self.write(lines, to: output))
                continuation.resume()
            }
        }
    }

    /// Returns what could not be written.
    private static func write(_ bytes: [UInt8], to output: CInt) -> ArraySlice<UInt8> {
        var rest = bytes[...]
        while !rest.isEmpty {
            var wanted = pollfd(fd: output, events: Int16(POLLOUT), revents: 0)
            guard poll(&wanted, 1, patience) == 1, wanted.revents & Int16(POLLOUT) != 0 else { return rest }
            let written = rest.prefix(pieceBytes).withUnsafeBytes { Foundation.write(output, $0.baseAddress, $0.count) }
            if written < 0, errno == EINTR || errno == EAGAIN { continue }
            guard written > 0 else { return rest }
            rest = rest.dropFirst(written)
        }
        return rest
    }
}
