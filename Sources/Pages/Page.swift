import Crypto
import Foundation
import LinkRouting
import Mustache

/// A rendered page: HTML, and a content security policy that allows only Linden's own scripts and styles.
package struct Page: Sendable {
    package let html: String
    package let contentSecurityPolicy: String

    init(_ model: PageModel) {
        var model = model
        // An image whose origin cannot be named in the policy would be blocked or weaken the policy, so it is left out.
        if model.image.flatMap(Page.imageOrigin) == nil { model.image = nil }
        html = Page.template.render(TemplateValues.of(model))
        let styles = [Page.standardStyleHash] + [model.brandStyle].compactMap { $0.map(Page.hash) }
        var policy = ["default-src 'none'", "style-src " + styles.joined(separator: " ")]
        if let script = model.script { policy.append("script-src " + Page.hash(script)) }
        let images = [model.image, model.brandIcon].compactMap { $0.flatMap(Page.imageOrigin) }
        if !images.isEmpty { policy.append("img-src " + Set(images).sorted().joined(separator: " ")) }
        if model.report != nil { policy.append("connect-src 'self'") }
        policy += ["base-uri 'none'", "form-action \(model.form == nil ? "'none'" : "'self'")", "frame-ancestors 'none'"]
        contentSecurityPolicy = policy.joined(separator: "; ")
    }

    private static let template: MustacheTemplate = {
        do {
            return try MustacheTemplate(string: String(decoding: PackageResources.page_mustache, as: UTF8.self))
        } catch {
            preconditionFailure("the embedded page template does not parse: \(error)")
        }
    }()

    private static let standardStyleHash = hash(PageModel.style)

    /// Returns a script's or style's hash as a source expression of the policy.
    private static func hash(_ text: String) -> String {
        "'sha256-\(Data(SHA256.hash(data: Array(text.utf8))).base64EncodedString())'"
    }

    /// Returns an image's origin for the policy; nil if the URL is not http or https, or its host has characters that could inject other
    /// directives.
    static func imageOrigin(_ url: String) -> String? {
        let parts = URLParts(url)
        let isPlain = parts.host.utf8.allSatisfy {
            $0 < 0x80 && (Character(Unicode.Scalar($0)).isLetter || $0 < 0x3A && $0 > 0x2C && $0 != 0x2F || $0 == 0x5F)
        }
        guard ["http", "https"].contains(parts.scheme), !parts.host.isEmpty, isPlain else { return nil }
        return parts.scheme + "://" + parts.host + (parts.port.map { ":\($0)" } ?? "")
    }
}
