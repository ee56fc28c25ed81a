-- Where a domain sends people that it has no link for, in place of Linden's own pages.

ALTER TABLE domains ADD COLUMN root_url TEXT;
ALTER TABLE domains ADD COLUMN not_found_url TEXT;
ALTER TABLE domains ADD COLUMN expired_url TEXT;
