#!/bin/sh
# A seed, who installs it, and what users write beside it; the last part of `make demo`.
#   Samples/places.sh SLUICE FOLDER     FOLDER/iso-3166.sqlite is the store of Pipelines/iso-3166.jsonc
set -eu
sluice=$(realpath "$1") folder=$2
cd "$(dirname "$0")/.."
# Seeds say when they were built. This one says always the same, and so has always the same bytes.
export SOURCE_DATE_EPOCH=1795305600

sluice() {
    printf '$ sluice %s\n' "$*"
    "$sluice" "$@"
}

# The side that publishes, and the side that installs.
sluice seed build Pipelines/iso-3166.jsonc --store "$folder/iso-3166.sqlite" --output "$folder/seeds"
sluice seed install "$folder/seeds/iso-3166.seed.json" --store "$folder/app.sqlite"

# The users' store, and what they write.
sluice run Pipelines/places.jsonc --store "$folder/places.sqlite"
sqlite3 "$folder/places.sqlite" "INSERT INTO Visit (place, day, note, stars) VALUES
    ('FR-NOR', '2026-07-14', 'Rain, and the abbey', 4), ('DE-BE', '2026-10-03', 'Everybody was there', 3)"

# A night later, Normandie is called otherwise.
sed 's/"Normandie"/"Normandy"/' "${ISO_CODES:-/usr/share/iso-codes/json}/iso_3166-2.json" > "$folder/changed.json"
"$sluice" run -q Pipelines/iso-3166.jsonc --store "$folder/iso-3166.sqlite" --feed "subdivisions=$folder/changed.json"
sluice seed build Pipelines/iso-3166.jsonc --store "$folder/iso-3166.sqlite" --output "$folder/seeds"
sluice seed install "$folder/seeds/iso-3166.seed.json" --store "$folder/app.sqlite"

# What was written, with the names of the new seed.
sqlite3 "$folder/places.sqlite" "ATTACH 'file:$folder/app.sqlite?immutable=1' AS seed;
    SELECT v.day, s.name, v.note FROM Visit v JOIN seed.Subdivision s ON s.code = v.place ORDER BY v.day"
