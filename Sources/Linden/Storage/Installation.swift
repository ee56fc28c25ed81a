package protocol InstallationReader {
    /// The base URL of the last server on this data; nil if there was none yet.
    func knownBaseURL() throws -> String?
    /// Whether there was never an app, and so nothing else.
    func isEmpty() throws -> Bool
    /// When the newest click, session or event was written; nil if there is none.
    func newestLogRow() throws -> Timestamp?
    /// The key behind what this installation shows and hashes; nil before it was made.
    func installationKey() throws -> InstallationKey?
}

package protocol InstallationRepository: InstallationReader {
    /// Notes a server's base URL, so that commands beside it show links as it does.
    func remember(baseURL: String) throws
    /// Writes and removes 64 KiB, so that its commit succeeds only where the disk has room for what is usually written.
    func probe() throws
}
