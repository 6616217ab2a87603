#!/bin/sh
# The entry of the stand-in for the official image of PostgreSQL: see stand-ins.Containerfile.
set -e
bin=$(echo /usr/lib/postgresql/*/bin)
data=/var/lib/postgresql/data
if [ ! -s "$data/PG_VERSION" ]; then
    install -d -o postgres -g postgres -m 700 "$data"
    printf %s "$POSTGRES_PASSWORD" > /tmp/password
    chown postgres /tmp/password
    su postgres -c "$bin/initdb -A scram-sha-256 -U '$POSTGRES_USER' --pwfile=/tmp/password -D $data"
    rm /tmp/password
    echo 'host all all all scram-sha-256' >> "$data/pg_hba.conf"
    echo "create database \"$POSTGRES_DB\"" | su postgres -c "$bin/postgres --single -D $data postgres"
fi
exec su postgres -c "exec $bin/postgres -D $data -c 'listen_addresses=*'"
