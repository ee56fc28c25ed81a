import LindenKernel

package protocol AppReader {
    func app(_ id: App.ID) throws -> App?
    /// All apps, oldest first.
    func apps() throws -> [App]
    /// The apps that have no domain for the links of a mode, oldest first.
    func appsWithoutDomain(_ mode: Mode) throws -> [App]
    /// The key; nil if it is unknown or its app was deleted.
    func appKey(_ branchKey: String) throws -> AppKey?
    /// Returns the side of a deleted app that a key refers to, or its live side by its id; nil if there is none.
    func scope(ofDeletedApp reference: String) throws -> Scope?
    /// All keys of an app: live before test, on each side the current one first.
    func appKeys(of app: App.ID) throws -> [AppKey]
    /// The replaced secrets of an app, latest first, including expired ones.
    func formerSecrets(of app: App.ID) throws -> [FormerSecret]
}

package protocol AppRepository: AppReader {
    func insert(_ app: App) throws
    func insert(_ key: AppKey, at time: Timestamp) throws
    func update(_ app: App, at time: Timestamp) throws
    /// Stores when a key was replaced and when it expires.
    func update(_ key: AppKey) throws
    /// Sets the hash of a side's current secret.
    func setSecret(hash: [UInt8], of scope: Scope) throws
    func insert(_ secret: FormerSecret) throws
    /// Expires the former secrets of a side that are still accepted.
    func endFormerSecrets(of scope: Scope, at time: Timestamp) throws
    /// Deletes the former secrets of a side that are no longer accepted.
    func deleteFormerSecrets(of scope: Scope, endedBy time: Timestamp) throws
    /// Invalidates the signatures of all file URLs of the app that were issued until now.
    func revokeSignedURLs(of app: App.ID) throws
    /// Marks an app as deleted: its keys are refused, its links no longer resolve. False if there is no such app.
    func deleteApp(_ id: App.ID, at time: Timestamp) throws -> Bool
}
