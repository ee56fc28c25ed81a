import OutgoingHTTP
import Testing

/// Files in a bucket, as the bucket's server sees it. The end-to-end tests have a real one.
@Suite(.timeLimit(.minutes(1))) struct S3BucketTests {
    private func bucket(of server: TestServer) -> S3Bucket {
        S3Bucket(
            endpoint: "http://127.0.0.1:\(server.port)", name: "backups", prefix: "", region: "us-east-1", accessKey: "orchard",
            secretKey: "secret")
    }

    @Test(arguments: [("Content-Length: 5\r\n", true), ("Content-Length: 4\r\n", false)])
    func anObjectOfAnotherSizeIsNotTheFile(header: String, isThere: Bool) async throws {
        try await TestServer.run { _ in
            TestServer.Reply(start: "HTTP/1.1 200 OK\r\n\(header)\r\n")
        } test: { server in
            let isFound = try await bucket(of: server).has("linden.db", bytes: 5)
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
