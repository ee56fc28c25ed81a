import Linden
import LindenKernel

/// An app's name, icon and colours on its pages (settings `pages.icon_url`, `pages.color`, `pages.background_color`).
package struct AppBrand: Sendable, Hashable {
    package let name: String
    /// The icon's http or https URL; nil if the setting is missing or cannot be named in a content security policy.
    let icon: String?
    /// CSS that overrides colours of the standard style; nil for an app without colours of its own.
    let style: String?

    package init(_ app: App) {
        let settings = app.configuration
        name = app.name
        icon = settings["pages.icon_url"].flatMap { Page.imageOrigin($0) == nil ? nil : $0 }
        style = Self.style(
            color: settings["pages.color"].flatMap(RGBColor.init),
            background: settings["pages.background_color"].flatMap(RGBColor.init))
    }

    /// Returns the CSS for an app's colours. Buttons have the colour unchanged; text in it is darkened or lightened where its contrast to
    /// the card is too low.
    private static func style(color: RGBColor?, background: RGBColor?) -> String? {
        var rules: [String] = []
        if let color {
            rules.append(":root{--main:\(color);--on:\(color.readableInk);--link:\(color.readable(on: lightCard))}")
            rules.append("@media (prefers-color-scheme:dark){:root{--link:\(color.readable(on: darkCard))}}")
        }
        // Dark mode keeps the standard background: one chosen for light pages would be too bright.
        if let background { rules.append("@media (prefers-color-scheme:light){:root{--back:\(background)}}") }
        return rules.isEmpty ? nil : rules.joined()
    }

    /// The values of `--card` in `style.css`.
    private static let lightCard = RGBColor.white
    private static let darkCard = RGBColor(red: 0x19, green: 0x20, blue: 0x1C)
}

extension PageModel {
    /// Shows the app's brand on the page. The name is left out where it is the page's title already.
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
