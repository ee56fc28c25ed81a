package protocol AppReader {
    func app(_ id: App.ID) throws -> App?
    /// All apps, oldest first.
    func apps() throws -> [App]
    /// The apps that have no domain for their live or test links, oldest first.
    func appsWithoutDomain(_ mode: Mode) throws -> [App]
    /// The key, unless its app was deleted.
    func appKey(_ branchKey: String) throws -> AppKey?
    /// Live first.
    func appKeys(of app: App.ID) throws -> [AppKey]
}

package protocol AppRepository: AppReader {
    func insert(_ app: App) throws
    func insert(_ key: AppKey, at time: Timestamp) throws
    func update(_ app: App, at time: Timestamp) throws
    /// Marks the app as deleted: its keys stop working, its links stop leading anywhere. False if there is no such app.
    func deleteApp(_ id: App.ID, at time: Timestamp) throws -> Bool
}
