import CAllocator

/// The memory that the process has freed.
package enum FreeMemory {
    /// Gives it back to the operating system. Otherwise the allocator keeps it for the thread that used it, up to 64 MB for each, so that large
    /// work on several threads, one after another, would take the memory of all of them together. Takes some milliseconds.
    package static func giveBack() {
        malloc_trim(0)
    }
}
