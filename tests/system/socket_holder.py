"""Holds a listening socket as systemd does, and restarts a command on it after each end with code 0.

Usage: socket_holder.py PORT COMMAND… Prints the id of each process.
"""

import os
import socket
import subprocess
import sys

# systemd passes its first socket as descriptor 3.
listener = socket.create_server(("127.0.0.1", int(sys.argv[1])), backlog=4096)
os.dup2(listener.fileno(), 3, inheritable=True)
while True:
    process = subprocess.Popen(sys.argv[2:], pass_fds=[3], env={**os.environ, "LISTEN_FDS": "1"})
    print(process.pid, flush=True)
    if process.wait() != 0:
        sys.exit(1)
