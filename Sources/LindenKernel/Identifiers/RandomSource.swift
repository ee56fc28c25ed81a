/// A source of random numbers: the system's cryptographic generator, or a deterministic one for tests.
package struct RandomSource: Sendable, RandomNumberGenerator {
    private let source: @Sendable () -> UInt64

    package init(_ source: @escaping @Sendable () -> UInt64) {
        self.source = source
    }

    package func next() -> UInt64 { source() }

    package static let system = RandomSource {
        var generator = SystemRandomNumberGenerator()
        return generator.next()
    }

    /// Returns random letters and digits, uniformly distributed, for slugs, keys and secrets.
    package func alphanumerics(_ count: Int) -> String {
        var generator = self
        let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789".utf8)
        return String(decoding: (0..<count).map { _ in alphabet.randomElement(using: &generator)! }, as: UTF8.self)
    }
}
