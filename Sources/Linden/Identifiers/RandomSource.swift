/// Where randomness comes from: the system's cryptographic source, or a test's repeatable one.
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

    /// Letters and digits, each equally likely: slugs, keys and secrets.
    package func alphanumerics(_ count: Int) -> String {
        var generator = self
        let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789".utf8)
        return String(decoding: (0..<count).map { _ in alphabet.randomElement(using: &generator)! }, as: UTF8.self)
    }
}
