import Linden

extension SQLTransaction {
    package func insert(_ event: Event) throws {
        try connection.execute(
            """
            INSERT INTO events (id, app_id, mode, endpoint, name, device_id, identity_id, session_id, touch_click_id,
                touch_link_id, body)
            VALUES (\(event.id), \(event.scope.app), \(event.scope.mode), \(event.endpoint), \(event.name), \(event.device),
                \(event.identity), \(event.session), \(event.touch?.click.id), \(event.touch?.link.id), \(JSON.object(event.body)))
            """)
    }
}
