import LindenKernel

extension [UInt8] {
    /// Fails with `invalid` if these bytes of an answer or a file are more than it may have. Called while the answer is written, so that a
    /// longer one is never in memory.
    package func checkAnswerLength(upTo mostBytes: Int) throws(Failure) {
        guard count > mostBytes else { return }
        throw .invalid(
            "The answer is longer than \(mostBytes) bytes. Use a smaller limit, a longer granularity, a shorter span or fewer "
                + "dimensions.")
    }
}
