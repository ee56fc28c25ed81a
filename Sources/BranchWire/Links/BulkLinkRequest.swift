import Linden

/// `POST /v1/url/bulk/<branch_key>`: an array of links to be made. Each item succeeds or fails by itself.
package struct BulkLinkRequest: Sendable {
    /// Each item as a link to be made, or why it cannot be one.
    package let items: [Result<CreateLinkRequest, Failure>]

    static let maximumLinks = 1000

    /// Fails with `invalid` for anything but an array, and with `tooLarge` for more than a thousand links.
    package init(bytes: some Collection<UInt8>) throws {
        do {
            let value = try JSON.parse(bytes)
            guard let array = value.array else {
                throw Failure.invalid("The body must be a JSON array of links, not \(value.kind).")
            }
            guard array.count <= Self.maximumLinks else {
                throw Failure(.tooLarge, "A bulk request may have at most \(Self.maximumLinks) links, not \(array.count).")
            }
            items = array.map { item in
                guard let object = item.object else {
                    return .failure(.invalid("Each link must be a JSON object, not \(item.kind)."))
                }
                return .success(CreateLinkRequest(RequestFields(object)))
            }
        } catch let error as JSONError {
            throw Failure.invalid("The body is not JSON: \(error).")
        }
    }

    /// What Branch answers for one item: a URL, or the error as plain text.
    package static func answer(_ result: Result<(url: String, warnings: [String]), Failure>) -> JSON {
        switch result {
        case .success(let link): .object(CreateLinkRequest.response(url: link.url, warnings: link.warnings))
        case .failure(let failure): ["error": .string(failure.message)]
        }
    }
}
