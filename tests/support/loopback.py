"""A dask cluster of two workers, each a process with two threads, on this machine's loopback, until its input ends.

Prints one line: the scheduler's port and the workers' process ids.
"""

from __future__ import annotations

import sys

import distributed

if __name__ == "__main__":
    with distributed.LocalCluster(
        n_workers=2, threads_per_worker=2, dashboard_address=None, host="127.0.0.1"
    ) as cluster:
        with distributed.Client(cluster) as client:
            pids = client.run(lambda: __import__("os").getpid())
        port = cluster.scheduler_address.rpartition(":")[2]
        sys.stdout.write(" ".join([port, *map(str, pids.values())]) + "\n")
        sys.stdout.flush()
        sys.stdin.read()
