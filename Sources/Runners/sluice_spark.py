#!/usr/bin/env python3
"""Runs a pipeline on Apache Spark: `sluice extract` on ranges of the feeds, then the steps of `sluice plan`.

    spark-submit sluice_spark.py DEFINITION --state ROOT --sluice BINARY

The state is as that of sluice-duckdb. Feeds and state are in folders that all workers see, and BINARY is on each of
them. See Documentation/cluster.md.
"""

import sys

if __name__ == "__main__":
    # Where it is installed, nothing is left behind.
    sys.dont_write_bytecode = True
    from sluice_runner.program import start

    sys.exit(start("sluice_runner.on_spark", "SparkRunner"))
