-- Links sent to a phone as a text message. The address in the message contains the row's id, so that a visit is matched with the number.
CREATE TABLE text_messages (
    id BIGINT PRIMARY KEY,
    app_id BIGINT NOT NULL,
    mode SMALLINT NOT NULL,
    link_id BIGINT NOT NULL,
    -- What was appended to the link where the message was asked for; of a long link, all of it.
    query TEXT,
    phone TEXT NOT NULL
);
