import Crypto
import Foundation
import LinkRouting

/// Signs requests to Amazon S3 and to servers that are compatible with it (AWS Signature Version 4,
/// https://docs.aws.amazon.com/AmazonS3/latest/API/sig-v4-header-based-auth.html).
struct SignatureV4: Sendable {
    let accessKey: String
    let secretKey: String
    let region: String

    private static let service = "s3"
    private static let algorithm = "AWS4-HMAC-SHA256"

    /// Returns the value of the header `Authorization`.
    ///
    /// - Parameters:
    ///   - path: encoded, see ``encoded(_:keepsSlashes:)``.
    ///   - query: names and values, not encoded.
    ///   - headers: those that are signed: their names in lower case, in order of their names, with their values.
    ///   - payload: the SHA-256 of the body in hexadecimal digits.
    ///   - time: as in the header `x-amz-date`, such as `20270131T120000Z`.
    func authorization(
        _ method: String, _ path: String, query: [(String, String)], headers: [(String, String)], payload: String, at time: String
    ) -> String {
        let names = headers.map(\.0).joined(separator: ";")
        let request = [
            method, path, Self.text(query), headers.map { "\($0):\($1)\n" }.joined(), names, payload,
        ].joined(separator: "\n")
        let day = String(time.prefix(8))
        let scope = "\(day)/\(region)/\(Self.service)/aws4_request"
        let text = [Self.algorithm, time, scope, Self.hash(Array(request.utf8))].joined(separator: "\n")
        var key = SymmetricKey(data: Data(("AWS4" + secretKey).utf8))
        for part in [day, region, Self.service, "aws4_request"] { key = SymmetricKey(data: Self.code(part, key)) }
        let signature = Hex.encode(Self.code(text, key))
        return "\(Self.algorithm) Credential=\(accessKey)/\(scope),SignedHeaders=\(names),Signature=\(signature)"
    }

    /// Returns a query as it is sent and signed: encoded, in order of the names.
    static func text(_ query: [(String, String)]) -> String {
        query.map { (encoded($0), encoded($1)) }.sorted { $0 < $1 }.map { "\($0)=\($1)" }.joined(separator: "&")
    }

    /// Encodes all bytes but letters, digits and `-._~`.
    static func encoded(_ text: String, keepsSlashes: Bool = false) -> String {
        var encoded = ""
        for byte in text.utf8 {
            let scalar = Unicode.Scalar(byte)
            let isKept =
                byte < 0x80
                && (scalar.properties.isAlphabetic || ("0"..."9").contains(scalar) || "-._~".unicodeScalars.contains(scalar))
                || keepsSlashes && scalar == "/"
            encoded += isKept ? String(scalar) : "%" + Hex.encode([byte]).uppercased()
        }
        return encoded
    }

    /// Returns the SHA-256 of bytes in hexadecimal digits.
    static func hash(_ bytes: [UInt8]) -> String { Hex.encode(Array(SHA256.hash(data: bytes))) }

    private static func code(_ text: String, _ key: SymmetricKey) -> [UInt8] {
        Array(HMAC<SHA256>.authenticationCode(for: Data(text.utf8), using: key))
    }
}
