"""with-dlt.py FEED ADDRESS: the job of workload a by dlt, as its manual shows it: a resource for each list.

References stay the identifiers of their targets: dlt has no joins.
"""

import json
import os
import sys

import dlt
from transit_tables import TABLES


def rows(records, columns):
    for record in records:
        yield {name: record.get(field) for name, field in columns.items()}


def main():
    feed, address = sys.argv[1:]
    with open(feed, "rb") as file:
        document = json.load(file)
    pipeline = dlt.pipeline(
        pipeline_name="transit",
        destination=dlt.destinations.postgres(address),
        dataset_name="transit",
        pipelines_dir=os.path.join(os.environ["DLT_DATA_DIR"], "pipelines"),
        dev_mode=True,
    )
    resources = []
    for table, (records, key, attributes, _) in TABLES.items():
        columns = {name: field for name, (field, _) in attributes.items()}
        resources.append(dlt.resource(rows(document[records], columns), name=table, primary_key=key, write_disposition="append"))
    pipeline.run(resources)


if __name__ == "__main__":
    main()
