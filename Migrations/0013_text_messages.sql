-- Links sent to a phone as a text message. The address in the message contains the row's id, so that a visit is matched with the number.
CREATE TABLE text_messages (
    id BIGINT PRIMARY KEY,
    app_id BIGINT NOT NULL,
    mode SMALLINT NOT NULL,
    link_id BIGINT NOT NULL,
    -- The query appended to the link when the message was requested; the complete query of a long link.
    query TEXT,
    phone TEXT NOT NULL
);
