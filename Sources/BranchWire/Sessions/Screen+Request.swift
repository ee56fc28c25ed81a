import Linden
import LindenKernel
import LinkRouting

extension Screen {
    /// Parses the screen that SDKs report in pixels. `screen_dpi` is pixels per point on iOS, and dots per inch on Android, where a point
    /// is 1/160 inch. Returns nil for older iOS SDKs, which do not send it.
    init?(_ body: RequestFields, os: String?) {
        guard let width = body.number("screen_width"), let height = body.number("screen_height"),
            let density = body.number("screen_dpi")
        else { return nil }
        self.init(pixelWidth: width, pixelHeight: height, scale: os == "Android" ? density / 160 : density)
    }
}

extension DeviceReport {
    /// Parses the report of a click's page (`open.js`), whose screen is in points, the unit of browsers.
    package init(_ body: RequestFields) {
        let screen = body.number("screen_width").flatMap { width in
            body.number("screen_height").flatMap { Screen(pixelWidth: width, pixelHeight: $0, scale: 1) }
        }
        let version = body.shortText("platform_version").flatMap { text in
            text.utf8.count <= 16 && text.allSatisfy { $0.isASCII && $0.isNumber || $0 == "." } ? OSVersion.normalized(text) : nil
        }
        self.init(screen: screen, model: body.shortText("model"), osVersion: version.flatMap { $0.isEmpty ? nil : $0 })
    }
}
