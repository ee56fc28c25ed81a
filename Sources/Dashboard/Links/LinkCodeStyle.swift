import BranchWire
import Linden
import LindenAPI
import LindenKernel
import LinkRouting

/// The style of a QR code as its form and the addresses of its images have it, under the names of the management API.
struct LinkCodeStyle: Sendable {
    enum Format: String, CaseIterable, Sendable {
        case svg, png, jpeg

        var name: String { rawValue.uppercased() }
    }

    private static let modulePatterns = ["standard", "squares", "circles", "triangles", "diamonds", "hexagons", "octagons"]
    private static let finderPatterns = ["square", "rounded", "circle"]

    /// The settings that are set, but for the format.
    private let settings: [(name: String, value: String)]

    init(_ query: FormFields) {
        settings = QRCodeSettings.names.filter { $0 != "image_format" }.map { ($0, query[$0]) }.filter { !$0.1.isEmpty }
    }

    private func value(_ name: String) -> String { settings.first { $0.name == name }?.value ?? "" }

    /// Fails with `invalid`, naming the setting.
    func renderer(as format: Format) throws -> QRCodeRenderer {
        let members = [(key: "image_format", value: JSON.string(format.rawValue))] + settings.map { ($0.name, .string($0.value)) }
        return try QRCodeRenderer(QRCodeSettings(RequestFields(JSONObject(members))))
    }

    /// Returns the address of the image.
    ///
    /// - Parameter link: the path of the link's page.
    func path(_ link: String, as format: Format, isDownload: Bool = false) -> String {
        PagePath.query("\(link)/code.\(format.rawValue)", settings + [("download", isDownload ? "true" : "")])
    }

    func form(_ link: String) -> Form {
        Form(
            link + "/code", method: "get", submit: "Draw the code", cancel: link,
            [
                color("code_color", "Colour", standard: "#000000"), color("background_color", "Background", standard: "#ffffff"),
                .text(
                    "finder_pattern_color", "Colour of the corner squares", value("finder_pattern_color"),
                    hint: "Such as #256a45. Empty: that of the code."),
                .text(
                    "finder_eye_color", "Colour inside the corner squares", value("finder_eye_color"),
                    hint: "Such as #256a45. Empty: that of the code."),
                pattern("code_pattern", "Pattern", Self.modulePatterns),
                pattern("finder_pattern", "Corner squares", Self.finderPatterns),
                .text(
                    "width", "Width and height in pixels", value("width"), type: "number", hint: "300 to 2000. Empty: 300."),
                .text("margin", "Margin in pixels", value("margin"), type: "number", hint: "0 to 20. Empty: 1."),
                .text(
                    "center_logo_url", "Logo", value("center_logo_url"), type: "url",
                    hint: "The web address of a PNG or JPEG of at most 1 MB, for the centre of the code."),
            ])
    }

    /// A picker shows only colours of six digits; anything else that was typed stays as it is.
    private func color(_ name: String, _ label: String, standard: String) -> Field {
        let value = value(name).isEmpty ? standard : value(name)
        let isPicked = value.utf8.count == 7 && value.first == "#" && value.dropFirst().allSatisfy(\.isHexDigit)
        return .text(name, label, value, type: isPicked ? "color" : "text")
    }

    private func pattern(_ name: String, _ label: String, _ shapes: [String]) -> Field {
        .choice(
            name, label, value(name).isEmpty ? "1" : value(name), shapes.enumerated().map { (String($0.offset + 1), $0.element) })
    }

    func equivalents(of link: Link, _ url: String) -> Equivalents {
        // The command reads the logo from a file.
        let options = settings.filter { $0.name != "center_logo_url" }.map {
            " --\($0.name.replacing("_", with: "-")) \($0.value.shellQuoted)"
        }.joined()
        return Equivalents(
            command: "linden links qr \(url.shellQuoted)\(options) --output code.svg",
            call: "GET " + PagePath.query("/api/v1/links/\(link.id.rawValue)/qr", [("image_format", "svg")] + settings))
    }
}
