-- Sums of money in two columns that are added separately, because ten of the largest amounts exceed a BIGINT.

-- revenue_thousands: whole thousands of the reporting currency, rounded down. revenue_millionths: the sum of the amounts' remainders of 0
-- to 999,999,999 millionths each; never carried over.
ALTER TABLE rollups RENAME COLUMN revenue TO revenue_millionths;
ALTER TABLE rollups ADD COLUMN revenue_thousands BIGINT NOT NULL DEFAULT 0;
ALTER TABLE object_days RENAME COLUMN revenue TO revenue_millionths;
ALTER TABLE object_days ADD COLUMN revenue_thousands BIGINT NOT NULL DEFAULT 0;

UPDATE rollups SET
    revenue_thousands = revenue_millionths / 1000000000 - CASE WHEN revenue_millionths % 1000000000 < 0 THEN 1 ELSE 0 END,
    revenue_millionths = (revenue_millionths % 1000000000 + 1000000000) % 1000000000
WHERE revenue_millionths < 0 OR revenue_millionths >= 1000000000;
UPDATE object_days SET
    revenue_thousands = revenue_millionths / 1000000000 - CASE WHEN revenue_millionths % 1000000000 < 0 THEN 1 ELSE 0 END,
    revenue_millionths = (revenue_millionths % 1000000000 + 1000000000) % 1000000000
WHERE revenue_millionths < 0 OR revenue_millionths >= 1000000000;
