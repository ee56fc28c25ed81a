-- Exchange rates, with which revenue is converted when its event is recorded.

-- rate: units of the currency per unit of the base, as a decimal text. The base is the same in all rows. A rate is valid until a later
-- day has one. day: days since 1970-01-01 UTC.
CREATE TABLE rates (
    currency TEXT NOT NULL,
    day BIGINT NOT NULL,
    base TEXT NOT NULL,
    rate TEXT NOT NULL,
    PRIMARY KEY (currency, day)
);
