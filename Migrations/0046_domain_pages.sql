-- Redirect targets of a domain for requests without a valid link, instead of the built-in pages.

ALTER TABLE domains ADD COLUMN root_url TEXT;
ALTER TABLE domains ADD COLUMN not_found_url TEXT;
ALTER TABLE domains ADD COLUMN expired_url TEXT;
