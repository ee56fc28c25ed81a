import Foundation

/// An independent reader of QR codes: `zbarimg`, of zbar-tools.
package enum Scanner {
    package static let isInstalled = executable != nil

    /// Returns the text of the first code in the image; nil if there is none.
    package static func read(_ image: [UInt8]) throws -> String? {
        let file = FileManager.default.temporaryDirectory.appending(path: "linden-qr-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: file) }
        try Data(image).write(to: file)
        let process = Process()
        process.executableURL = executable
        process.arguments = ["--raw", "-q", "-Sdisable", "-Sqrcode.enable", file.path]
        let output = Pipe()
        process.standardOutput = output
        process.standardError = FileHandle.nullDevice
        try process.run()
        let text = String(decoding: try output.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
        process.waitUntilExit()
        return process.terminationStatus == 0 ? String(text.dropLast()) : nil
    }

    private static let executable: URL? = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":")
        .map { URL(filePath: String($0)).appending(path: "zbarimg") }
        .first { FileManager.default.isExecutableFile(atPath: $0.path) }
}
