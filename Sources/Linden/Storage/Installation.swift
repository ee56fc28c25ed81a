package protocol InstallationReader {
    /// The base URL of the last server on this data; nil if there was none yet.
    func knownBaseURL() throws -> String?
}

package protocol InstallationRepository: InstallationReader {
    /// Notes a server's base URL, so that commands beside it show links as it does.
    func remember(baseURL: String) throws
}
