/// A destination with the URL of its redirect.
public struct RenderedDestination: Sendable {
    public let destination: Destination
    /// Nil unless the destination is a redirect.
    public let location: ClickURL?

    public init(_ destination: Destination) {
        self.destination = destination
        if case .redirect(let target) = destination.action { location = ClickURL(target) } else { location = nil }
    }
}
