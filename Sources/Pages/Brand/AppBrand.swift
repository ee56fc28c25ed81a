import Linden

/// An app's name, icon and colours on its pages (settings `pages.icon_url`, `pages.color`, `pages.background_color`).
package struct AppBrand: Sendable {
    package let name: String
    /// On the web.
    let icon: String?
    /// CSS that replaces colours of the standard style; nil for an app without colours of its own.
    let style: String?

    package init(_ app: App) {
        let settings = app.configuration
        name = app.name
        icon = settings["pages.icon_url"].flatMap { Page.imageOrigin($0) == nil ? nil : $0 }
        style = Self.style(
            color: settings["pages.color"].flatMap(RGBColor.init),
            background: settings["pages.background_color"].flatMap(RGBColor.init))
    }

    /// Buttons have the colour as it is. Text in it is made darker or lighter where it could not be read on the card.
    private static func style(color: RGBColor?, background: RGBColor?) -> String? {
        var rules: [String] = []
        if let color {
            rules.append(":root{--main:\(color);--on:\(color.readableInk);--link:\(color.readable(on: lightCard))}")
            rules.append("@media (prefers-color-scheme:dark){:root{--link:\(color.readable(on: darkCard))}}")
        }
        // A background for light pages would dazzle on dark ones.
        if let background { rules.append("@media (prefers-color-scheme:light){:root{--back:\(background)}}") }
        return rules.isEmpty ? nil : rules.joined()
    }

    /// As `--card` in `style.css`.
    private static let lightCard = RGBColor.white
    private static let darkCard = RGBColor(red: 0x19, green: 0x20, blue: 0x1C)
}

extension PageModel {
    /// Puts the app's look on the page. Its name is left out where it is the title.
    mutating func show(_ brand: AppBrand) {
        brandIcon = brand.icon
        brandStyle = brand.style
        if title != brand.name {
            brandName = brand.name
            if brand.icon == nil { initial = String(brand.name.prefix(1)).uppercased() }
        }
        hasBrand = brandName != nil || brandIcon != nil
    }
}
