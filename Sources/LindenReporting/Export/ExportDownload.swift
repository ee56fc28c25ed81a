import Linden
import LindenKernel

/// A file that is available at a signed URL for a limited time.
package struct ExportDownload: Sendable {
    package enum Content: Sendable {
        case rows(ExportRequest)
        /// The data of the data subjects of a ``SubjectRequest``, by its handle.
        case person(String)
    }

    package let name: String
    package let content: Content
    package let isGzipped: Bool
}

extension ExportService {
    /// The number of days for which an address is valid (Branch, "Daily exports": seven days).
    package static let downloadDays: Int64 = 7

    /// Returns a topic's file of one day (UTC), which is generated when it is fetched. Fails with `invalid` for a malformed day and for one
    /// in the future.
    ///
    /// The name has the form of Branch's names, `<app id>-<day>-<topic>-v2-<64 hex>-<6 characters>.csv.gz`; the 64 digits are the
    /// signature.
    package func signedFile(of topic: ExportTopic, on day: String, in scope: Scope, isGzipped: Bool, at now: Timestamp)
        async throws -> SignedFile
    {
        let range = try ExportRange(day: day)
        guard range.from <= now else { throw Failure.invalid("export_date must be a day up to today (UTC), not \(day).") }
        let file = DayFile(
            scope: scope, day: day, topic: topic, isGzipped: isGzipped, expiresAt: now + .seconds(Self.downloadDays * 86400),
            nonce: random.alphanumerics(6))
        let signature = key.signature(of: file.signed, generation: try await storage.urlGeneration(of: scope.app))
        return signedFile(file.name(signature: signature), expiresAt: file.expiresAt, scope.mode)
    }

    func signedFile(_ name: String, expiresAt: Timestamp, _ mode: Mode) -> SignedFile {
        SignedFile(name: name, query: "expires=\(expiresAt.milliseconds)" + (mode == .test ? "&mode=test" : ""))
    }

    /// Returns the download that an address belongs to. Fails with `notFound` for an unknown file name, and with `forbidden` for an address
    /// that is forged, revoked or expired.
    package func download(
        _ name: String, expires: String?, mode: String?, at now: Timestamp
    ) async throws -> ExportDownload {
        guard let expires = expires.flatMap({ Int64($0) }).map(Timestamp.init(milliseconds:)) else { throw Failure.forgedDownload }
        let mode: Mode = mode == "test" ? .test : .live
        if let (file, signature) = DayFile.read(name, expires, mode) {
            let generation = try await storage.urlGeneration(of: file.scope.app)
            guard key.isValid(signature, of: file.signed, generation: generation) else { throw Failure.forgedDownload }
            guard now < expires else { throw Failure.expiredDownload }
            return ExportDownload(
                name: name,
                content: .rows(ExportRequest(scope: file.scope, topic: file.topic, range: try ExportRange(day: file.day))),
                isGzipped: file.isGzipped)
        }
        if let handle = try await personDownload(name, expires, at: now) {
            return ExportDownload(name: name, content: .person(handle), isGzipped: false)
        }
        return try await jobDownload(name, expires, at: now)
    }
}

extension Failure {
    static let forgedDownload = Failure(
        .forbidden, "The address of the export is not one that this server gave out, or it was revoked; ask for it again.")
    static let expiredDownload = Failure(
        .forbidden, "The address of the export has expired: it is good for \(ExportService.downloadDays) days; ask for it again.")
    package static let noSuchDownload = notFound("There is no such export.")
}

/// The properties encoded in the name of a daily file.
private struct DayFile {
    let scope: Scope
    let day: String
    let topic: ExportTopic
    let isGzipped: Bool
    let expiresAt: Timestamp
    let nonce: String

    var signed: String {
        "day \(scope.app) \(scope.mode.rawValue) \(day) \(topic.rawValue) \(suffix) \(nonce) \(expiresAt.milliseconds)"
    }

    private var suffix: String { isGzipped ? "csv.gz" : "csv" }

    func name(signature: String) -> String {
        "\(scope.app)-\(day)-\(topic.rawValue)-v2-\(signature)-\(nonce).\(suffix)"
    }

    /// A bound above all names that are issued: anyone may send a name, and the pattern reads it before its signature is checked.
    private static let longestName = 200

    static func read(_ name: String, _ expiresAt: Timestamp, _ mode: Mode) -> (DayFile, signature: String)? {
        let form = /(\d{1,19})-(\d{4}-\d{2}-\d{2})-([a-z_]+)-v2-([0-9a-f]{64})-([A-Za-z0-9]{6})\.(csv|csv\.gz)/
        guard name.utf8.count <= longestName, let match = name.wholeMatch(of: form), let app = Int64(match.1),
            let topic = ExportTopic(rawValue: String(match.3))
        else {
            return nil
        }
        let file = DayFile(
            scope: Scope(app: App.ID(rawValue: app), mode: mode), day: String(match.2), topic: topic,
            isGzipped: match.6 == "csv.gz",
            expiresAt: expiresAt, nonce: String(match.5))
        return (file, String(match.4))
    }
}
