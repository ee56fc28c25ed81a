import Testing

@testable import OutgoingHTTP

/// The signatures of requests to S3, by the examples of Amazon's documentation.
@Suite struct SignatureV4Tests {
    private static let signature = SignatureV4(
        accessKey: "AKIAIOSFODNN7EXAMPLE", secretKey: "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY", region: "us-east-1")
    private static let time = "20130524T000000Z"

    @Test(
        arguments: [
            ("/test.txt", [], [("range", "bytes=0-9")], "f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41"),
            ("/", [("lifecycle", "")], [], "fea454ca298b7da1c68078a5d1bdbfbbe0d65c699e0f91ac7a200a0136783543"),
            (
                "/", [("prefix", "J"), ("max-keys", "2")], [],
                "34b48302e7b5fa45bde8084f4b7868a86f0a534bc59db6670ed5711ef69dc6f7"
            ),
        ] as [(String, [(String, String)], [(String, String)], String)])
    func aRequestIsSignedAsDocumented(
        path: String, query: [(String, String)], headers: [(String, String)], signature: String
    ) {
        let payload = SignatureV4.hash([])
        let signed =
            [("host", "examplebucket.s3.amazonaws.com")] + headers + [
                ("x-amz-content-sha256", payload), ("x-amz-date", Self.time),
            ]
        let authorization = Self.signature.authorization(
            "GET", path, query: query, headers: signed, payload: payload, at: Self.time)
        #expect(
            authorization
                == "AWS4-HMAC-SHA256 Credential=AKIAIOSFODNN7EXAMPLE/20130524/us-east-1/s3/aws4_request,SignedHeaders="
                + signed.map(\.0).joined(separator: ";") + ",Signature=" + signature)
    }

    @Test func namesAreEncodedByteByByte() {
        #expect(SignatureV4.encoded("a/b c+é~", keepsSlashes: true) == "a/b%20c%2B%C3%A9~")
        #expect(SignatureV4.encoded("a/b") == "a%2Fb")
        #expect(SignatureV4.text([("uploadId", "x=="), ("partNumber", "12")]) == "partNumber=12&uploadId=x%3D%3D")
    }
}
