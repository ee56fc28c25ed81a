import QRCodes

/// The text of a code where any will do.
let posterText = "https://go.example.com/summer?utm_source=poster&n=1"

func style(width: Int = 300, margin: Int = 10, format: QRCodeStyle.Format = .png) throws -> QRCodeStyle {
    try QRCodeStyle(width: width, margin: margin, format: format)
}

func image(_ style: QRCodeStyle, of text: String = posterText, logo: [UInt8]? = nil) throws -> [UInt8] {
    try QRCode(text: text, style: style, logo: logo).image()
}
