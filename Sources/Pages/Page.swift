import Crypto
import Foundation
import Mustache

/// A page as it is sent: HTML and the policy that lets a browser run nothing but what Linden itself put there.
package struct Page: Sendable {
    package let html: String
    package let contentSecurityPolicy: String

    init(_ model: PageModel) {
        html = Page.template.render(model)
        let script = model.script.map { " script-src '\(Page.hash($0))';" } ?? ""
        contentSecurityPolicy =
            "default-src 'none'; style-src '\(Page.hash(PageModel.style))';\(script) base-uri 'none'; form-action 'none'; "
            + "frame-ancestors 'none'"
    }

    private static let template: MustacheTemplate = {
        do {
            return try MustacheTemplate(string: String(decoding: PackageResources.page_mustache, as: UTF8.self))
        } catch {
            preconditionFailure("the embedded page template does not parse: \(error)")
        }
    }()

    private static func hash(_ text: String) -> String {
        "sha256-" + Data(SHA256.hash(data: Array(text.utf8))).base64EncodedString()
    }
}

/// What the one page template shows. The template escapes every value but the style and the script, which are ours, and the
/// structured data, which come escaped.
struct PageModel {
    struct Tag {
        let property: String
        let content: String
    }

    var title: String
    var text: String
    /// Only a page about a link is for search engines.
    var isIndexable = false
    var description: String?
    var keywords: String?
    var tags: [Tag] = []
    var icon: String?
    /// JSON-LD, fit to stand in a script element as it is; see ``StructuredData``.
    var structuredData: String?
    var appURI: String?
    /// Where the page goes once the app has opened.
    var after: String?
    var fallback: String?
    /// Milliseconds until the page goes there by itself.
    var timeout = 0
    var fallbackLabel = "Continue on the web"
    var script: String?
    let style = PageModel.style

    static let style = String(decoding: PackageResources.style_css, as: UTF8.self)
}
