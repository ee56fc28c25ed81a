#!/bin/sh
# Creates Linden's role and database: /etc/patroni/create-database.sh on the machines 1 and 2, executable for the user postgres
# alone. Patroni calls it once, when the cluster is created, with the address of the new primary. To change: the password.

set -eu
psql --no-psqlrc --quiet --set=ON_ERROR_STOP=1 "$1" <<'SQL'
CREATE ROLE linden LOGIN PASSWORD 'change-me-linden';
CREATE DATABASE linden OWNER linden TEMPLATE template0 ENCODING 'UTF8' LOCALE 'C';
SQL
