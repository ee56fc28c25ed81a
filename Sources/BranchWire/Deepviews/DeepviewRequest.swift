import Foundation
import Linden
import LinkRouting

/// `GET /v1/deepview`: a page asks what its button is to do. It is given a function that leads to a link with the page's data.
package struct DeepviewRequest: Sendable {
    private let body: RequestFields

    package init(_ body: RequestFields) {
        self.body = body
    }

    /// A JavaScript function. Not an object: the SDK calls whatever it is given.
    package func script(app: AppContext, baseURL: BaseURL) throws -> String {
        let target = try url(app: app, baseURL: baseURL)
        return "function(){window.location.assign(\(JSON.string(target).text));}"
    }

    /// A long link: nothing is stored for a button that nobody may press.
    private func url(app: AppContext, baseURL: BaseURL) throws -> String {
        var items = ["channel", "feature", "campaign", "stage"].compactMap { name in
            body.text(name).map { QueryItem(name: name, value: $0) }
        }
        items += try (body.tags() ?? []).map { QueryItem(name: "tags", value: $0) }
        let data = try body.linkData() ?? [:]
        if !data.isEmpty {
            items.append(QueryItem(name: "data", value: Data(JSON.object(data).bytes).base64EncodedString()))
        }
        return items.reduce(baseURL.longLinkBase(of: app)) { URLParts.appending($1, to: $0) }
    }
}
