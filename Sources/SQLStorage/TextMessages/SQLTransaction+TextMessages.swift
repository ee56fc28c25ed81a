import Linden
import LindenKernel

extension SQLTransaction {
    package func textMessage(_ id: TextMessage.ID) throws -> TextMessage? {
        try connection.first("SELECT app_id, mode, link_id, query, phone FROM text_messages WHERE id = \(id)") { row in
            TextMessage(
                id: id, scope: row.scope(0), link: row.id(2), query: row.optionalText(3), phone: PhoneNumber(stored: row.text(4)))
        }
    }

    package func insert(_ message: TextMessage) throws {
        try connection.execute(
            """
            INSERT INTO text_messages (id, app_id, mode, link_id, query, phone)
            VALUES (\(message.id), \(message.scope.app), \(message.scope.mode), \(message.link), \(message.query),
                \(message.phone.text))
            """)
    }
}
