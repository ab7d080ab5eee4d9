"""Opens connections with small windows, sends its standard input on each of them, and never reads a response.

Usage: silent_clients.py PORT CONNECTIONS. It runs until it is killed. On each connection, another number replaces
RANDOM in the input.

On loopback, the kernel buffers megabytes for a client that does not read. A small maximum segment and a small receive
buffer, set before connecting, block the writes of a server after 30 kB, as on the internet.
"""

import random
import signal
import socket
import sys
import threading

port, count = int(sys.argv[1]), int(sys.argv[2])
requests = sys.stdin.buffer.read()
threading.excepthook = lambda _: None  # The server may close a connection.
connections = []
for _ in range(count):
    connection = socket.socket()
    connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_MAXSEG, 536)
    connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 2048)
    connection.connect(("127.0.0.1", port))
    connections.append(connection)
    own = requests.replace(b"RANDOM", str(random.random()).encode())
    # `sendall` waits until the server reads. A daemon thread ends with the process.
    threading.Thread(target=connection.sendall, args=[own], daemon=True).start()
print("connected", flush=True)
signal.pause()
