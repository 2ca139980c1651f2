"""Confines a process that decodes an untrusted image to reading the program's own files.

Landlock (Linux 5.13 and newer, no privileges needed) blocks the rest of the file system, above all the data
directory with the master keys, and other processes' memory. Where the kernel lacks Landlock nothing is
blocked, and `confine` returns False.

https://docs.kernel.org/userspace-api/landlock.html
"""

from __future__ import annotations

import ctypes
import os
import runpy
import struct
import sys
from collections.abc import Iterable
from pathlib import Path

# System call numbers and constants of the kernel's interface.
_CREATE_RULESET, _ADD_RULE, _RESTRICT_SELF = 444, 445, 446
_VERSION_FLAG = 1
_PATH_BENEATH = 1
_PR_SET_NO_NEW_PRIVS = 38
_EXECUTE, _READ_FILE, _READ_DIR = 1 << 0, 1 << 2, 1 << 3
#: Number of file system rights that each Landlock version knows, starting with version 1.
_RIGHTS = (13, 14, 15, 15, 16)
_BIND_TCP, _CONNECT_TCP = 1 << 0, 1 << 1
_FIRST_WITH_NETWORK = 4
_SYSTEM = (
    *("/usr", "/lib", "/lib64", "/etc/ld.so.cache", "/etc/localtime", "/dev/null", "/dev/urandom"),
    *("/proc/cpuinfo", "/proc/meminfo", "/proc/self", "/sys/devices/system", "/sys/fs/cgroup"),
)


def version() -> int:
    """Returns the kernel's Landlock version; 0 or less: none."""
    return int(ctypes.CDLL(None).syscall(_CREATE_RULESET, None, ctypes.c_size_t(0), _VERSION_FLAG))


def confine(readable: Iterable[Path]) -> bool:
    """Restricts this process to reading `readable` and system libraries; returns False without Landlock.

    Only the calling thread and the threads and processes it starts later are confined, so call this before
    anything starts threads. Raises OSError when the kernel has Landlock but refuses.
    """
    libc = ctypes.CDLL(None, use_errno=True)
    known = version()
    if known < 1:
        return False
    handled = (1 << _RIGHTS[min(known, len(_RIGHTS)) - 1]) - 1
    network = _BIND_TCP | _CONNECT_TCP if known >= _FIRST_WITH_NETWORK else 0
    attributes = struct.pack("QQ", handled, network) if network else struct.pack("Q", handled)
    ruleset = _called(libc.syscall(_CREATE_RULESET, attributes, ctypes.c_size_t(len(attributes)), 0))
    for path in (*readable, *map(Path, _SYSTEM)):
        _allow(libc, ruleset, path)
    _called(libc.prctl(_PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0))
    _called(libc.syscall(_RESTRICT_SELF, ruleset, 0))
    os.close(ruleset)
    return True


def own_files(secret: Path) -> list[Path]:
    """Returns the folders of the interpreter and its modules, except any folder that contains `secret`."""
    found = {Path(entry or ".").resolve() for entry in (sys.prefix, sys.base_prefix, *sys.path)}
    hidden = secret.resolve()
    return sorted(path for path in found if path.exists() and not hidden.is_relative_to(path))


def _allow(libc: ctypes.CDLL, ruleset: int, path: Path) -> None:
    try:
        descriptor = os.open(path, os.O_PATH | os.O_CLOEXEC)
    except OSError:  # not on this system
        return
    rights = _READ_FILE | (_READ_DIR | _EXECUTE if path.is_dir() else 0)
    try:
        rule = struct.pack("=Qi", rights, descriptor)
        _called(libc.syscall(_ADD_RULE, ruleset, _PATH_BENEATH, rule, 0))
    finally:
        os.close(descriptor)


def _called(result: int) -> int:
    if result < 0:
        number = ctypes.get_errno()
        raise OSError(number, os.strerror(number))
    return result


def main() -> None:
    """Runs `python confinement.py READABLE MODULE ARGUMENT…`: confines itself, then runs the module.

    Started by its path, because importing a package may already start threads. READABLE: paths joined as in
    PATH.
    """
    del sys.path[0]  # this file's folder
    readable, module = sys.argv[1], sys.argv[2]
    confine(Path(entry) for entry in readable.split(os.pathsep) if entry)
    sys.argv[1:] = sys.argv[3:]
    runpy.run_module(module, run_name="__main__", alter_sys=True)


if __name__ == "__main__":
    main()
