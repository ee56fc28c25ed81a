import Foundation
import HTTPTypes
import LindenKernel
import LindenTesting
import LinkRouting
import Testing

extension Exchange {
    /// The fields of a call of the Web SDK.
    static let webSDK: JSONObject = ["sdk": "web2.84.0", "options": "{}"]

    /// Asks for a browser's id and returns it.
    func number() async throws -> String {
        String(try #require(try await get("/_r?callback=f").body.firstMatch(of: /[0-9]{18}/)?.0))
    }
}
