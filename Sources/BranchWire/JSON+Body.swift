import LindenKernel

extension JSON {
    /// Parses a request body. Fails with `tooLarge` for more than `maximumValues` values, and with `invalid` for a text that is not JSON.
    static func body(
        _ bytes: some Collection<UInt8>, maximumValues: Int = JSON.maximumBodyValues
    ) throws(Failure) -> JSON {
        do throws(JSONError) {
            return try JSON.parse(bytes, maximumValues: maximumValues)
        } catch {
            guard error.hasTooManyValues else { throw Failure.invalid("The body is not JSON: \(error).") }
            throw Failure(
                .tooLarge, "The body may have at most \(maximumValues) JSON values, at all depths.")
        }
    }
}
