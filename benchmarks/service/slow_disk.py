"""Slows down a process's syncs, so that they last as long as on a disk that really waits.

Virtual disks often answer a sync before anything is durable, thousands of times a second; a drive without
a protected cache needs milliseconds. The library made here is loaded before the C library (LD_PRELOAD) and
delays the return of fsync and fdatasync after the real call. One flush runs at a time, and syncs that arrive
meanwhile share the next one, as on a journaling file system.
"""

from __future__ import annotations

import os
import subprocess
import sys
import time
from pathlib import Path

_SOURCE = r"""
#define _GNU_SOURCE
#include <dlfcn.h>
#include <pthread.h>
#include <stdlib.h>
#include <time.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t ended = PTHREAD_COND_INITIALIZER;
static unsigned long begun, done;
static int busy;

static void flush_disk(void) {
    pthread_mutex_lock(&lock);
    unsigned long mine = begun + 1; /* the next flush to begin covers what was written before now */
    while (done < mine) {
        if (busy) {
            pthread_cond_wait(&ended, &lock);
            continue;
        }
        busy = 1;
        unsigned long number = ++begun;
        pthread_mutex_unlock(&lock);
        double milliseconds = atof(getenv("SLOW_DISK_MS"));
        struct timespec pause = {milliseconds / 1000, (long)(milliseconds * 1e6) % 1000000000};
        nanosleep(&pause, NULL);
        pthread_mutex_lock(&lock);
        done = number;
        busy = 0;
        pthread_cond_broadcast(&ended);
    }
    pthread_mutex_unlock(&lock);
}

#define SLOW(name)                                                      \
    int name(int descriptor) {                                          \
        static int (*real)(int);                                        \
        if (!real) real = (int (*)(int))dlsym(RTLD_NEXT, #name);        \
        int status = real(descriptor);                                  \
        if (status == 0) flush_disk();                                  \
        return status;                                                  \
    }
SLOW(fsync)
SLOW(fdatasync)
"""


def slow_disk(folder: Path, milliseconds: float) -> dict[str, str]:
    """Environment variables that make a process's syncs last that long; builds the library with `cc`."""
    if milliseconds <= 0:
        return {}
    source, library = folder / "slow_disk.c", folder / "slow_disk.so"
    source.write_text(_SOURCE, encoding="ascii")
    command = ["cc", "-O2", "-shared", "-fPIC", "-o", str(library), str(source), "-ldl", "-lpthread"]
    subprocess.run(command, check=True, capture_output=True, text=True)
    return {"LD_PRELOAD": str(library), "SLOW_DISK_MS": str(milliseconds)}


def sync_rate(folder: Path, variables: dict[str, str], seconds: float = 3.0) -> float:
    """Synced appends of 4 KiB per second, in a process with these variables."""
    command = [sys.executable, "-m", "benchmarks.service.slow_disk", str(folder), str(seconds)]
    environment = {**os.environ, **variables}
    done = subprocess.run(command, check=True, capture_output=True, text=True, env=environment)
    return float(done.stdout)


def _probe(folder: Path, seconds: float) -> float:
    path = folder / "sync-probe"
    descriptor = os.open(path, os.O_CREAT | os.O_WRONLY, 0o600)
    count, began = 0, time.monotonic()
    while time.monotonic() - began < seconds:
        os.write(descriptor, b"x" * 4096)
        os.fsync(descriptor)
        count += 1
    os.close(descriptor)
    path.unlink()
    return count / (time.monotonic() - began)


if __name__ == "__main__":
    print(_probe(Path(sys.argv[1]), float(sys.argv[2])))
