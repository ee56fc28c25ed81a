import LindenKernel

extension JSON {
    /// Parses a request body. Fails with `tooLarge` for too many values, and with `invalid` for a text that is not JSON or is nested too deep.
    static func body(_ bytes: some Collection<UInt8>, within limits: JSONLimits = .untrusted) throws(Failure) -> JSON {
        do throws(JSONError) {
            return try JSON.parse(bytes, within: limits)
        } catch {
            guard error.hasTooManyValues else { throw Failure.invalid("The body is not JSON: \(error).") }
            throw Failure(.tooLarge, "The body may have at most \(limits.values) JSON values, at all depths.")
        }
    }
}
