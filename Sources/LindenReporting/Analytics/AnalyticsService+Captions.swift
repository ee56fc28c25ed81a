import Linden
import LindenKernel

extension AnalyticsService {
    /// Returns the captions of links by their values of ``Dimension/link``. Other values, such as ads, have none. Reads in portions, between
    /// which other questions are answered. Fails with `invalid` if they are longer than a number of bytes.
    package func captions(
        of values: Set<String>, in scope: Scope, upTo bytes: Int = AnalyticsService.mostCaptionBytes
    ) async throws -> [String: LinkCaption] {
        let values = Array(values)
        var captions: [String: LinkCaption] = [:]
        var length = 0
        for start in stride(from: 0, to: values.count, by: Self.captionsPerRead) {
            let portion = values[start..<min(start + Self.captionsPerRead, values.count)]
            let found = try await storage.analyze(scope) { [baseURL] reader in
                try portion.map { ($0, try LinkCaption(of: $0, from: reader, baseURL)) }
            }
            for case (let value, let caption?) in found {
                captions[value] = caption
                length += caption.length
            }
            guard length <= bytes else { throw Failure.captionsTooLong(bytes) }
        }
        return captions
    }

    private static let captionsPerRead = 200

    /// The most bytes of the titles and addresses of an answer's links: no answer of a server may be longer.
    package static let mostCaptionBytes = 8 << 20
}

extension LinkCaption {
    /// The bytes of both.
    fileprivate var length: Int { (url?.utf8.count ?? 0) + (title?.utf8.count ?? 0) }
}

extension Failure {
    fileprivate static func captionsTooLong(_ bytes: Int) -> Failure {
        .invalid(
            """
            The titles and addresses of the answer's links are longer than \(bytes) bytes. Use a smaller limit, a longer granularity, a \
            shorter span or another dimension.
            """)
    }
}
