import BranchWire
import LindenKernel

#if QR
    import QRCodes
#endif

/// Draws texts, such as links, as QR codes in one style. Every QR code of the server and the command line is drawn by it.
package struct QRCodeRenderer: Sendable {
    /// How the message about a style begins that is complete but cannot be drawn. The setting, if it is about one, follows.
    package static let undrawable = "The QR code cannot be drawn: "

    package let contentType: String
    /// The URL of the logo that the style names.
    package let logoURL: String?
    private let draw: @Sendable (_ text: String, _ logo: [UInt8]?) throws -> [UInt8]

    /// Whether this program was built with QR codes.
    package static var isAvailable: Bool {
        #if QR
            true
        #else
            false
        #endif
    }

    /// Fails with `invalid`, naming the setting, and with `notFound` in a build without QR codes.
    package init(_ settings: QRCodeSettings) throws {
        #if QR
            let style = try QRCodeStyle(settings)
            contentType = style.format.contentType
            logoURL = settings.logoURL
            draw = { text, logo in
                do {
                    return try QRCode(text: text, style: style, logo: logo).image()
                } catch let error as QRCodeError {
                    throw Failure.undrawable(error)
                }
            }
        #else
            throw Failure.notFound("This program was built without QR codes (package trait QR).")
        #endif
    }

    /// Returns the image. Takes milliseconds of CPU time, and more for a hostile logo, so it must not be called on an event loop.
    ///
    /// - Parameter logo: a PNG or JPEG file to place in the centre. Fails with `invalid` for anything else.
    package func image(of text: String, logo: [UInt8]? = nil) throws -> [UInt8] { try draw(text, logo) }

    /// Returns the code of a URL as an SVG without a margin, for a page; nil if the URL cannot be encoded, or in a build without QR codes.
    package static func svg(of url: String) -> String? {
        let settings = QRCodeSettings(RequestFields(["image_format": "svg", "margin": 0]))
        guard let image = try? QRCodeRenderer(settings).image(of: url) else { return nil }
        return String(decoding: image, as: UTF8.self)
    }
}

#if QR
    extension Failure {
        fileprivate static func undrawable(_ error: QRCodeError) -> Failure {
            .invalid(QRCodeRenderer.undrawable + error.message)
        }
    }

    extension QRCodeStyle {
        /// Fails with `invalid`, naming the setting.
        fileprivate init(_ settings: QRCodeSettings) throws {
            func color(_ name: String) throws -> Color? {
                try settings.text(name).map { text in
                    do {
                        return try Color(text)
                    } catch let error as QRCodeError {
                        throw Failure.invalid("\(name): \(error.message)")
                    }
                }
            }
            func shape<Shape: RawRepresentable<Int> & CaseIterable>(_ number: Int?, _ name: String) throws -> Shape? {
                try number.map { number in
                    guard let shape = Shape(rawValue: number) else {
                        throw Failure.invalid("\(name) must be 1 to \(Shape.allCases.count).")
                    }
                    return shape
                }
            }
            do {
                self = try QRCodeStyle(
                    width: try settings.width() ?? QRCodeStyle.standardWidth,
                    margin: try settings.margin() ?? QRCodeStyle.standardMargin,
                    format: try settings.text("image_format").map { try Format($0) } ?? .png,
                    codeColor: try color("code_color") ?? .black,
                    backgroundColor: try color("background_color") ?? .white, finderPatternColor: try color("finder_pattern_color"),
                    finderEyeColor: try color("finder_eye_color"),
                    modulePattern: try shape(settings.codePattern(), "code_pattern") ?? .standard,
                    finderPattern: try shape(settings.finderPattern(), "finder_pattern") ?? .square)
            } catch let error as QRCodeError {
                throw Failure.undrawable(error)
            }
        }

        // Branch's defaults (https://help.branch.io, QR code API).
        private static let standardWidth = 300
        private static let standardMargin = 1
    }
#endif
