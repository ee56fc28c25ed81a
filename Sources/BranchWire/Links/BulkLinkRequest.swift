import LindenKernel

/// A request of `POST /v1/url/bulk/<branch_key>`: an array of links to create. Each item succeeds or fails independently.
package struct BulkLinkRequest: Sendable {
    /// The request of each item, or the failure if the item is not an object.
    package let items: [Result<CreateLinkRequest, Failure>]

    static let maximumLinks = 1000

    /// Two hundred values for each of ``maximumLinks``.
    static let limits = JSONLimits(values: 200 * maximumLinks, depth: JSONLimits.untrusted.depth)

    /// Fails with `invalid` for anything but a JSON array, and with `tooLarge` for more than ``maximumLinks`` items or more values than
    /// ``limits``.
    package init(bytes: some Collection<UInt8>) throws {
        let value = try JSON.body(bytes, within: Self.limits)
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
    }

    /// Returns Branch's response for one item: a URL, or an error whose value is plain text.
    package static func answer(_ result: Result<(url: String, warnings: [String]), Failure>) -> JSON {
        switch result {
        case .success(let link): .object(CreateLinkRequest.response(url: link.url, warnings: link.warnings))
        case .failure(let failure): ["error": .string(failure.message)]
        }
    }
}
