import Foundation
import Logging

/// The journal of systemd, which takes the priority of a line from a number in angle brackets before it (sd-daemon(3)). So
/// `journalctl -p warning` finds the messages that matter among the lines of a request log, which have none and count as information.
enum Journal {
    /// Whether what is written to a file descriptor goes to the journal: `JOURNAL_STREAM` has its device and inode (systemd.exec(5)).
    static func receives(_ descriptor: CInt) -> Bool {
        var status = stat()
        guard let stream = ProcessInfo.processInfo.environment["JOURNAL_STREAM"], fstat(descriptor, &status) == 0 else {
            return false
        }
        return stream == "\(status.st_dev):\(status.st_ino)"
    }

    /// Returns a text with the priority before each of its lines.
    static func text(_ text: String, priority: Int) -> String {
        text.split(separator: "\n").map { "<\(priority)>\($0)\n" }.joined()
    }
}

/// Writes log messages to the standard error stream as ``StreamLogHandler`` does, with their priorities for the journal.
struct JournalLogHandler: LogHandler {
    let label: String
    var logLevel = Logger.Level.info
    var metadata: Logger.Metadata = [:]
    var metadataProvider: Logger.MetadataProvider?

    init(label: String) {
        self.label = label
    }

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    func log(event: LogEvent) {
        var handler = StreamLogHandler(
            label: label, stream: JournalStream(priority: event.level.priority), metadataProvider: metadataProvider)
        handler.metadata = metadata
        handler.log(event: event)
    }
}

private struct JournalStream: TextOutputStream {
    let priority: Int

    /// Writes a message in one piece, between those of other threads. One that the journal does not take is lost.
    func write(_ text: String) {
        let bytes = Array(Journal.text(text, priority: priority).utf8)
        _ = bytes.withUnsafeBytes { Foundation.write(STDERR_FILENO, $0.baseAddress, $0.count) }
    }
}

extension Logger.Level {
    /// The priority of syslog.
    fileprivate var priority: Int {
        switch self {
        case .trace, .debug: 7
        case .info: 6
        case .notice: 5
        case .warning: 4
        case .error: 3
        case .critical: 2
        }
    }
}
