"""Programs as the ranks of an MPI job on this machine."""

import os
import shutil
import sys

RANKS = 4
os.environ.update(OMPI_ALLOW_RUN_AS_ROOT="1", OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1")
# MPI has blocks that it never frees.
os.environ["ASAN_OPTIONS"] = "detect_leaks=0"


def mpirun(program, *words, ranks=RANKS, patience=3):
    """A command. `patience` is how long mpirun lets ranks end when one has failed: it waits
    for that long, twice, even if they have."""
    return ["mpirun", "--mca", "odls_base_sigkill_timeout", str(patience), "--oversubscribe", "-n",
            str(ranks), program, *words]


def skip_without_mpi(tap, program):
    """Ends the test if there is no MPI here."""
    module = os.path.join(os.path.dirname(program), "tafl-mpi.so")
    why = ("there is no mpirun here" if not shutil.which("mpirun") else
           "this build has no MPI" if not os.path.exists(module) else None)
    if why:
        tap.skip("ranks of an MPI job", why)
        sys.exit(tap.close())


def pids(parent):
    """Process numbers of the ranks that mpirun has started, by rank."""
    found = {}
    for name in os.listdir("/proc"):
        if not name.isdigit():
            continue
        try:
            with open("/proc/%s/stat" % name) as file:
                state, above = file.read().rsplit(")", 1)[1].split()[:2]
            with open("/proc/%s/environ" % name, "rb") as file:
                variables = dict(line.split(b"=", 1) for line in file.read().split(b"\0")
                                 if b"=" in line)
        except OSError:
            continue
        if int(above) == parent and state != "Z" and b"OMPI_COMM_WORLD_RANK" in variables:
            found[int(variables[b"OMPI_COMM_WORLD_RANK"])] = int(name)
    return found
