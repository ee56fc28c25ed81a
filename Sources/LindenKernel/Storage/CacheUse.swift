/// How often a cache was asked for what exists, and had it.
package struct CacheUse: Sendable, Equatable {
    package var hits = 0
    package var misses = 0

    package init() {}
}
