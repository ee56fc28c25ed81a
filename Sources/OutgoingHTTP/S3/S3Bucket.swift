import LindenKernel
import NIOHTTP1

/// A bucket of Amazon S3, or of a server that is compatible with it, to which files are uploaded.
///
/// Every file is uploaded in parts, each with its hash: a part that arrives damaged is refused, one that is lost is sent again, and the file
/// appears under its name once all of them are there.
package struct S3Bucket: Sendable {
    /// A part of a file. All but the last have at least 5 MiB.
    package struct Part: Sendable {
        let bytes: [UInt8]
        let hash: String

        package init(_ bytes: [UInt8]) {
            self.bytes = bytes
            hash = SignatureV4.hash(bytes)
        }
    }

    /// `https://` or `http://` and a host, without a path.
    private let endpoint: String
    private let name: String
    private let prefix: String
    private let signature: SignatureV4
    private let clock: WallClock

    /// - Parameters:
    ///   - endpoint: `https://` or `http://`, and a host with or without a port. The bucket is named in the path.
    ///   - prefix: the beginning of the objects' names; empty for none.
    package init(
        endpoint: String, name: String, prefix: String, region: String, accessKey: String, secretKey: String,
        clock: WallClock = .system
    ) {
        self.endpoint = endpoint
        self.name = name
        self.prefix = prefix
        self.clock = clock
        signature = SignatureV4(accessKey: accessKey, secretKey: secretKey, region: region)
    }

    /// Returns whether there is an object of this name and size, as far as the key may know. Fails with `unavailable` if the bucket cannot be
    /// asked.
    package func has(_ file: String, bytes: Int64) async throws -> Bool {
        let answer = try await send(.HEAD, file, query: [], Part([]))
        // A key that may not list the bucket is answered 403 for an object that is not there. An upload says why if it may not write either.
        guard ![403, 404].contains(answer.status) else { return false }
        guard answer.status == 200 else { throw refusal(answer) }
        return answer.header("content-length") == String(bytes)
    }

    /// Uploads a file, which appears once it is complete. Fails with `unavailable` and the reason; nothing is left then.
    ///
    /// - Parameter nextPart: called for each part of the file; nil after the last.
    package func upload(_ file: String, nextPart: () async throws -> Part?) async throws {
        let begun = try await accepted(.POST, file, query: [("uploads", "")], Part([]))
        guard let upload = begun.element("UploadId") else { throw Failure.unavailable("The bucket began no upload.") }
        do {
            var list = ""
            var number = 0
            while let part = try await nextPart() {
                number += 1
                let answer = try await accepted(.PUT, file, query: [("partNumber", String(number)), ("uploadId", upload)], part)
                guard let tag = answer.header("etag") else { throw Failure.unavailable("The bucket confirmed no part.") }
                list += "<Part><PartNumber>\(number)</PartNumber><ETag>\(tag)</ETag></Part>"
            }
            let end = Part(Array("<CompleteMultipartUpload>\(list)</CompleteMultipartUpload>".utf8))
            let completed = try await accepted(.POST, file, query: [("uploadId", upload)], end)
            // A failure that occurs while the parts are put together has the status 200.
            if completed.element("Code") != nil { throw refusal(completed) }
        } catch {
            // In a task of its own, since this one may be cancelled: the bucket would keep the parts.
            await Task { _ = try? await send(.DELETE, file, query: [("uploadId", upload)], Part([]), timeout: Self.patience) }.value
            throw error
        }
    }

    /// Sends a request until it is accepted, three times at most; one that is refused for good only once.
    private func accepted(_ method: HTTPMethod, _ file: String, query: [(String, String)], _ part: Part) async throws
        -> DirectAnswer
    {
        for attempt in 1..<Self.attempts {
            if let answer = try? await send(method, file, query: query, part), answer.status < 500, answer.status != 429 {
                guard (200..<300).contains(answer.status) else { throw refusal(answer) }
                return answer
            }
            try await Task.sleep(for: .seconds(attempt))
        }
        let answer = try await send(method, file, query: query, part)
        guard (200..<300).contains(answer.status) else { throw refusal(answer) }
        return answer
    }

    private func send(
        _ method: HTTPMethod, _ file: String, query: [(String, String)], _ part: Part, timeout: Duration = Self.timeout
    ) async throws -> DirectAnswer {
        let path = "/" + SignatureV4.encoded("\(name)/\(prefix)\(file)", keepsSlashes: true)
        let time = String(clock.now().iso8601.prefix(19).filter { $0 != "-" && $0 != ":" }) + "Z"
        let host = endpoint.drop { $0 != "/" }.drop { $0 == "/" }
        let headers = [("host", String(host)), ("x-amz-content-sha256", part.hash), ("x-amz-date", time)]
        let authorization = signature.authorization(
            method.rawValue, path, query: query, headers: headers, payload: part.hash, at: time)
        let question = query.isEmpty ? "" : "?" + SignatureV4.text(query)
        do {
            return try await DirectClient.send(
                method, to: endpoint + path + question, headers: headers + [("authorization", authorization)], part.bytes,
                limit: Self.longestAnswer, timeout: timeout)
        } catch let error as DirectFetchError {
            throw Failure.unavailable("The bucket \(name) at \(endpoint) cannot be reached: \(error).")
        }
    }

    private func refusal(_ answer: DirectAnswer) -> Failure {
        let reason = [answer.element("Code"), answer.element("Message")].compactMap { $0 }.joined(separator: ": ")
        return .unavailable("The bucket \(name) at \(endpoint) answers \(answer.status)\(reason.isEmpty ? "" : ", " + reason).")
    }

    private static let attempts = 3
    private static let timeout: Duration = .seconds(120)
    /// How long the end of an upload may take: a server that stops waits for it.
    private static let patience: Duration = .seconds(10)
    private static let longestAnswer = 1 << 20
}

extension DirectAnswer {
    /// Returns the text of the first XML element of a name that has no attributes; nil if there is none.
    fileprivate func element(_ name: String) -> String? {
        let text = String(decoding: bytes, as: UTF8.self)
        guard let start = text.firstRange(of: "<\(name)>"), let end = text[start.upperBound...].firstRange(of: "</\(name)>") else {
            return nil
        }
        return String(text[start.upperBound..<end.lowerBound])
    }
}
