import Crypto
import LindenKernel
import LinkRouting

/// A file that pages load. Its address has a hash of its content, so browsers may keep it for ever.
struct Asset: Sendable {
    let contentType: String
    let bytes: [UInt8]
    let fileName: String

    var path: String { "\(PagePath.root)/assets/\(fileName)" }

    static let style = Asset("dashboard", "css", "text/css; charset=utf-8", PackageResources.dashboard_css)
    static let copy = Asset("copy", "js", "text/javascript; charset=utf-8", PackageResources.copy_js)
    static let keys = Asset("keys", "js", "text/javascript; charset=utf-8", PackageResources.keys_js)
    static let live = Asset("live", "js", "text/javascript; charset=utf-8", PackageResources.live_js)
    static let preview = Asset("preview", "js", "text/javascript; charset=utf-8", PackageResources.preview_js)
    static let times = Asset("times", "js", "text/javascript; charset=utf-8", PackageResources.times_js)
    static let all = [style, copy, keys, live, preview, times]

    private init(_ name: String, _ ending: String, _ contentType: String, _ bytes: [UInt8]) {
        self.contentType = contentType
        self.bytes = bytes
        fileName = "\(name)-\(Hex.encode(SHA256.hash(data: bytes).prefix(8))).\(ending)"
    }
}
