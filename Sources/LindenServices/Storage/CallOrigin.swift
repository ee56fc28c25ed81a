import LindenKernel

/// The client for whom a task calls the database. Of the calls that wait, those of different sites take turns, so that the costly calls of
/// one do not delay others.
package enum CallOrigin {
    /// The site, see ``ClientNetwork/site``. Nil for visits, which are cheap, for clients whose network is not counted, and for the server
    /// itself.
    @TaskLocal package static var site: UInt64?
}
