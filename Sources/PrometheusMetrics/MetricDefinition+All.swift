extension [MetricDefinition] {
    /// All metrics of a server. Those of the process have the names that all clients of Prometheus use.
    package static let all: [MetricDefinition] = http + clicks + storage + work + process

    private static let http: [MetricDefinition] = [
        MetricDefinition(
            "linden_http_requests_total", .counter, "Answered requests by kind of route, call of an SDK and class of the status."),
        MetricDefinition(
            "linden_http_request_duration_seconds", .histogram(latencies),
            "Time from the end of a visit's request, or the head of any other, to the beginning of the answer."),
        MetricDefinition(
            "linden_http_invalid_requests_total", .counter,
            "Requests that are not valid HTTP or whose headers are too large; they are no part of linden_http_requests_total."),
        MetricDefinition("linden_connections_open", .gauge, "Open connections of clients."),
        MetricDefinition("linden_connections_refused_total", .counter, "Connections beyond a limit, which were refused."),
        MetricDefinition("linden_connections_limit", .gauge, "The most open connections (http.max_connections)."),
        MetricDefinition("linden_event_streams_open", .gauge, "Open streams of events."),
        MetricDefinition(
            "linden_limits_refused_total", .counter, "Calls refused by limits, by the setting and the owner of the limit."),
        MetricDefinition(
            "linden_request_log_dropped_total", .counter,
            "Lines of the request log that were dropped because its reader is too slow."),
    ]

    private static let clicks: [MetricDefinition] = [
        MetricDefinition(
            "linden_clicks_total", .counter,
            "Recorded visits to links: by people, and by robots with the reason why they count as such."),
        MetricDefinition(
            "linden_clicks_unrecorded_total", .counter, "Visitors who were redirected although their click could not be recorded."),
        MetricDefinition(
            "linden_sessions_total", .counter,
            "Started sessions by outcome of the attribution, with the matcher or the kind of refusal."),
        MetricDefinition(
            "linden_cache_hits_total", .counter, "Look-ups that a cache answered. Starts again when the cache is emptied."),
        MetricDefinition("linden_cache_misses_total", .counter, "Look-ups of existing entries that a cache did not have."),
        MetricDefinition("linden_cache_bytes", .gauge, "Approximate memory of a cache's entries."),
    ]

    private static let storage: [MetricDefinition] = [
        MetricDefinition(
            "linden_commit_duration_seconds", .histogram(latencies), "Time of the writer's transactions with their commit."),
        MetricDefinition(
            "linden_commit_batch_size", .histogram([1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024]),
            "Calls that are committed together."),
        MetricDefinition("linden_commit_failures_total", .counter, "Transactions whose commit failed."),
        MetricDefinition(
            "linden_database_refused_total", .counter, "Calls refused because too many waited for the database, by queue."),
        MetricDefinition("linden_write_queue_depth", .gauge, "Calls that wait for the writer."),
        MetricDefinition(
            "linden_write_stall_seconds", .gauge, "Time for which writes have been waiting without one that succeeds."),
        MetricDefinition("linden_write_problem", .gauge, "1 if the disk or the file made the last write fail, otherwise 0."),
        MetricDefinition(
            "linden_database_damaged", .gauge, "1 once damage to the database was found since the start, otherwise 0."),
        MetricDefinition("linden_database_bytes", .gauge, "Size of the database with its write-ahead log."),
        MetricDefinition("linden_wal_bytes", .gauge, "Size of the write-ahead log."),
        MetricDefinition("linden_disk_free_bytes", .gauge, "Free space on the database's disk."),
        MetricDefinition(
            "linden_disk_minimum_free_bytes", .gauge, "Free space below which new data is refused (limits.min_free_disk)."),
    ]

    private static let work: [MetricDefinition] = [
        MetricDefinition(
            "linden_aggregation_lag_seconds", .gauge,
            "Age of the oldest row of a log that its totals do not include; 0 if there is none."),
        MetricDefinition("linden_jobs_waiting", .gauge, "Exports and erasures that are not done yet."),
        MetricDefinition(
            "linden_backup_interval_seconds", .gauge, "Time between two backups; missing if the server makes none by itself."),
        MetricDefinition(
            "linden_backup_last_success_timestamp_seconds", .gauge, "Begin of the newest complete backup; missing if there is none."
        ),
        MetricDefinition("linden_backup_bytes", .gauge, "Size of the newest complete backup."),
        MetricDefinition(
            "linden_backup_uploaded_timestamp_seconds", .gauge,
            "Begin of the newest backup that is known to be in the bucket; missing until one is."),
        MetricDefinition(
            "linden_backup_upload_failures_total", .counter,
            "Uploads of backups that failed; missing if the server uploads none."),
        MetricDefinition(
            "linden_leader", .gauge, "1 if this server does the background work, otherwise 0: of several on a database, one does."),
        MetricDefinition(
            "linden_tls_certificate_expiry_timestamp_seconds", .gauge,
            "When the certificate expires; missing if the server does not speak TLS itself."),
        MetricDefinition("linden_build_info", .gauge, "1, with the version of the server."),
    ]

    private static let process: [MetricDefinition] = [
        MetricDefinition("process_start_time_seconds", .gauge, "Start of the process since 1970; its uptime is time() minus this."),
        MetricDefinition("process_resident_memory_bytes", .gauge, "Memory of the process that is in RAM."),
        MetricDefinition("process_cpu_seconds_total", .counter, "CPU time of the process, user and system together."),
        MetricDefinition("process_open_fds", .gauge, "Open file descriptors, connections included."),
        MetricDefinition("process_max_fds", .gauge, "The most open file descriptors."),
    ]

    /// Bounds in seconds, from a redirect out of memory to a question about a year.
    private static let latencies = [0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10]
}
