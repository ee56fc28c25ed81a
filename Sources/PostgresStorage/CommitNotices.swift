import CPostgres

/// What PostgreSQL says about a commit besides its result. Used by the thread of a connection.
final class CommitNotices {
    /// Whether the commit's wait for a standby was cancelled: its result is that of a success, but it may be on one machine only.
    var isUnconfirmed = false

    /// Listens to a connection, as long as this object exists.
    func listen(to handle: OpaquePointer?) {
        PQsetNoticeReceiver(
            handle,
            { listener, notice in
                // The function of the server's that waits: texts of notices are in the language of the database.
                guard let listener, let function = PQresultErrorField(notice, Int32(UInt8(ascii: "R"))),
                    String(cString: function) == "SyncRepWaitForLSN"
                else { return }
                Unmanaged<CommitNotices>.fromOpaque(listener).takeUnretainedValue().isUnconfirmed = true
            }, Unmanaged.passUnretained(self).toOpaque())
    }
}
