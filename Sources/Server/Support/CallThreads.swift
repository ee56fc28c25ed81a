import Foundation

/// The threads of tasks, which compute the answers to calls.
enum CallThreads {
    /// Lowers the priority of the calling thread below that of the event loops and of the thread that writes.
    ///
    /// A visit takes some 50 µs of those, but passes between them several times, and would wait each time for threads that compute: hundreds of
    /// calls at once would delay it by a tenth of a second. To be called with every call, since nothing tells when a thread starts; takes less
    /// than a microsecond.
    static func giveWay() {
        #if os(Linux)
            setpriority(__priority_which_t(PRIO_PROCESS.rawValue), 0, 5)
        #endif
    }
}
