import ArgumentParser
import BranchWire
import Foundation
import Linden
import LindenAPI
import LindenKernel
import LindenServices

struct LinksQRCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(commandName: "qr", abstract: "Draw the QR code of a link as PNG, JPEG or SVG.")

    @OptionGroup var link: LinkOptions
    @Option(name: .shortAndLong, help: ArgumentHelp("The file to write. Default: standard output.", valueName: "file"))
    var output: String?
    @Option(help: "png, jpeg or svg. Default: the ending of the file's name, else png.")
    var imageFormat: String?
    @Option(help: ArgumentHelp("The width and height, 300 to 2000. Default: 300.", valueName: "pixels"))
    var width: Int?
    @Option(help: ArgumentHelp("The empty margin, 0 to 20. Default: 1.", valueName: "pixels"))
    var margin: Int?
    @Option(help: ArgumentHelp("The colour of the code, such as #2c6e49. Default: black.", valueName: "color"))
    var codeColor: String?
    @Option(help: ArgumentHelp("The colour behind the code. Default: white.", valueName: "color"))
    var backgroundColor: String?
    @Option(help: ArgumentHelp("The colour of the three corner squares. Default: that of the code.", valueName: "color"))
    var finderPatternColor: String?
    @Option(help: ArgumentHelp("The colour inside the corner squares. Default: that of the code.", valueName: "color"))
    var finderEyeColor: String?
    @Option(
        help: ArgumentHelp(
            "The shape of the modules: 1 standard, 2 squares, 3 circles, 4 triangles, 5 diamonds, 6 hexagons, 7 octagons.",
            valueName: "number"))
    var codePattern: Int?
    @Option(help: ArgumentHelp("The shape of the corner squares: 1 square, 2 rounded, 3 circle.", valueName: "number"))
    var finderPattern: Int?
    @Option(
        help: ArgumentHelp(
            "A PNG or JPEG for the centre of the code, of at most 1 MB and 1024 pixels on a side.", valueName: "file"))
    var logo: String?
    @OptionGroup var confirmation: Confirmation
    @OptionGroup var common: CommonOptions

    func run() async throws {
        let renderer = try QRCodeRenderer(settings)
        let picture = try logo.map { path in
            guard let data = FileManager.default.contents(atPath: path) else { throw Failure.unusable("\(path) cannot be read.") }
            return Array(data)
        }
        try await common.withServices(baseURL: link.base.baseUrl) { services in
            let found = try await services.links.find(link.link)
            guard found.deletedAt == nil else { throw Failure.noSuchLink }
            let url = services.links.url(of: found)
            let image = Data(try renderer.image(of: url, logo: picture))
            guard let output else { return try FileHandle.standardOutput.write(contentsOf: image) }
            try confirmation.askToReplace([output])
            do {
                try image.write(to: URL(fileURLWithPath: output), options: .atomic)
            } catch {
                throw Failure.unusable("\(output) cannot be written.")
            }
            Output(format: common.format).show([
                "file": .string(output), "url": .string(url), "type": .string(renderer.contentType), "bytes": JSON(image.count),
            ])
        }
    }

    /// The options under the names of the HTTP API.
    private var settings: QRCodeSettings {
        let ending = output.map { URL(fileURLWithPath: $0).pathExtension }
        let named: [(name: String, value: String?)] = [
            ("image_format", imageFormat ?? ending), ("width", width.map(String.init)), ("margin", margin.map(String.init)),
            ("code_color", codeColor), ("background_color", backgroundColor), ("finder_pattern_color", finderPatternColor),
            ("finder_eye_color", finderEyeColor), ("code_pattern", codePattern.map(String.init)),
            ("finder_pattern", finderPattern.map(String.init)),
        ]
        return QRCodeSettings(
            RequestFields(JSONObject(named.compactMap { name, value in value.map { (key: name, value: JSON.string($0)) } })))
    }
}
