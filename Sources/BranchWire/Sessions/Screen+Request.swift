import Linden
import LinkRouting

extension Screen {
    /// As SDKs tell it: in pixels, and in `screen_dpi` iOS says how many make a point, Android how many dots there are to an inch, of
    /// which 160 make one. Older SDKs for iOS do not say, so that nothing is known.
    init?(_ body: RequestFields, os: String?) {
        guard let width = body.number("screen_width"), let height = body.number("screen_height"),
            let density = body.number("screen_dpi")
        else { return nil }
        self.init(pixelWidth: width, pixelHeight: height, scale: os == "Android" ? density / 160 : density)
    }
}

extension DeviceReport {
    /// As the page of a click tells it (`open.js`): the screen in points, as browsers count.
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
