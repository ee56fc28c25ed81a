-- Exchange rates, by which revenue is converted when it comes.

-- rate: how many units of the currency one unit of the base buys, as it was written. The base is the same in all rows. A rate holds until a
-- later day has one. day counts days since 1970-01-01 in UTC.
CREATE TABLE rates (
    currency TEXT NOT NULL,
    day BIGINT NOT NULL,
    base TEXT NOT NULL,
    rate TEXT NOT NULL,
    PRIMARY KEY (currency, day)
);
