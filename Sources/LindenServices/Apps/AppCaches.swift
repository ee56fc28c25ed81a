import Linden
import LindenKernel

/// The caches that hold apps with their settings, keys, domains and routes, or what was made from them.
package struct AppCaches: Sendable {
    private let apps: AppDirectory
    private let links: LinkDirectory
    private let associations: AssociationDirectory

    package init(apps: AppDirectory, links: LinkDirectory, associations: AssociationDirectory) {
        self.apps = apps
        self.links = links
        self.associations = associations
    }

    /// Removes what is cached of an app, but for association files. Must be called after this process changed an app, its keys, domains or routes.
    /// Its links are not used any more, and leave the memory when others need the room.
    package func invalidate(_ app: App.ID) {
        // Links first: what was read of one before is not cached after that, not even with the app as it is now.
        links.invalidate(app)
        apps.invalidate(app)
    }

    /// Removes the association files of an app, too. Must be called after this process changed settings that are in the files.
    package func invalidateWithAssociations(_ app: App.ID) {
        invalidate(app)
        associations.invalidate(app)
    }

    /// Removes what is cached of an app, and the association files that it is in or may come to be in. Must be called after this process changed on
    /// which hosts it is.
    ///
    /// - Parameter host: the host that the app has got or lost; nil for that of the base URL.
    package func invalidateHosts(of app: App.ID, changed host: String? = nil) {
        invalidate(app)
        associations.invalidateHosts(of: app, changed: host)
    }

    /// Removes what is cached of an app from memory. Must be called after data of its links was erased.
    package func erase(_ app: App.ID) {
        invalidate(app)
        links.removeOutdated()
    }
}
