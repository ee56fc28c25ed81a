import OutgoingHTTP
import Testing

/// Files in a bucket, as the bucket's server sees it. The end-to-end tests have a real one.
@Suite(.timeLimit(.minutes(1))) struct S3BucketTests {
    private func bucket(of server: TestServer) -> S3Bucket {
        S3Bucket(
            endpoint: "http://127.0.0.1:\(server.port)", name: "backups", prefix: "", region: "us-east-1", accessKey: "orchard",
            secretKey: "secret")
    }

    /// A backup has gigabytes; an answer with a body that long is not read.
    @Test(arguments: [(5, 5, true), (4, 5, false), (5_000_000_000, 5_000_000_000, true), (4_999_999_999, 5_000_000_000, false)])
    func anObjectOfAnotherSizeIsNotTheFile(stored: Int64, bytes: Int64, isThere: Bool) async throws {
        try await TestServer.run { _ in
            TestServer.Reply(start: "HTTP/1.1 200 OK\r\nContent-Length: \(stored)\r\n\r\n")
        } test: { server in
            let isFound = try await bucket(of: server).has("linden.db", bytes: bytes)
            #expect(isFound == isThere)
            #expect(server.requests.first?.first == "HEAD /backups/linden.db HTTP/1.1")
        }
    }

    @Test func theBucketKeepsNoPartsOfAnUploadThatIsCancelled() async throws {
        try await TestServer.run { path in
            .ok(path.contains("?uploads") ? "<UploadId>7</UploadId>" : "")
        } test: { server in
            let files = bucket(of: server)
            let upload = Task {
                try await files.upload("linden.db") {
                    withUnsafeCurrentTask { $0?.cancel() }
                    return S3Bucket.Part([1, 2, 3])
                }
            }
            await #expect(throws: CancellationError.self) { try await upload.value }
            #expect(server.requests.last?.first == "DELETE /backups/linden.db?uploadId=7 HTTP/1.1")
        }
    }
}
