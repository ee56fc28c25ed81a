package protocol AppReader {
    func app(_ id: App.ID) throws -> App?
    /// All apps, oldest first.
    func apps() throws -> [App]
    /// The apps that have no domain for their live or test links, oldest first.
    func appsWithoutDomain(_ mode: Mode) throws -> [App]
    /// The key, unless its app was deleted.
    func appKey(_ branchKey: String) throws -> AppKey?
    /// Live first, and of each side the present one first.
    func appKeys(of app: App.ID) throws -> [AppKey]
    /// Secrets that were replaced, the latest first; also those that have ended.
    func formerSecrets(of app: App.ID) throws -> [FormerSecret]
}

package protocol AppRepository: AppReader {
    func insert(_ app: App) throws
    func insert(_ key: AppKey, at time: Timestamp) throws
    func update(_ app: App, at time: Timestamp) throws
    /// Stores when a key was replaced and when it ends.
    func update(_ key: AppKey) throws
    /// Makes a secret the present one of a side.
    func setSecret(hash: [UInt8], of scope: Scope) throws
    func insert(_ secret: FormerSecret) throws
    /// Ends those that have not ended yet.
    func endFormerSecrets(of scope: Scope, at time: Timestamp) throws
    /// Makes the addresses of the app's files that were signed until now invalid.
    func revokeAddresses(of app: App.ID) throws
    /// Marks the app as deleted: its keys stop working, its links stop leading anywhere. False if there is no such app.
    func deleteApp(_ id: App.ID, at time: Timestamp) throws -> Bool
}
