import LindenKernel

package protocol InstallationReader {
    /// Returns the base URL of the last server on this data; nil if there has been none.
    func knownBaseURL() throws -> String?
    /// Whether no app was ever created, and so nothing else either.
    func isEmpty() throws -> Bool
    /// Returns the time of the newest click, session or event; nil if there is none.
    func newestLogRow() throws -> Timestamp?
    /// Returns the key that public ids and hashes derive from; nil before it is created.
    func installationKey() throws -> InstallationKey?
}

package protocol InstallationRepository: InstallationReader {
    /// Stores a server's base URL, so that commands on the same data show links as it does.
    func remember(baseURL: String) throws
    /// Writes and deletes 64 KiB, so that the commit succeeds only if the disk has room for typical writes.
    func probe() throws
}
