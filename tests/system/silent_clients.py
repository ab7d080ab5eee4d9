"""Opens connections with small windows, sends its standard input on each of them, and never reads a response.

Usage: silent_clients.py PORT CONNECTIONS. It runs until it is killed. On each connection, another number replaces
RANDOM in the input.

On loopback, the kernel buffers megabytes for a client that does not read. A small maximum segment and a small receive
buffer, set before connecting, block the writes of a server after 30 kB, as on the internet.
"""

import random
import selectors
import socket
import sys

port, count = int(sys.argv[1]), int(sys.argv[2])
requests = sys.stdin.buffer.read()
selector = selectors.DefaultSelector()
connections = []


def send(connection, rest):
    try:
        rest = rest[connection.send(rest) :]
    except BlockingIOError:
        pass
    except OSError:
        rest = b""  # The server may close the connection.
    if not rest:
        selector.unregister(connection)
    else:
        selector.modify(connection, selectors.EVENT_WRITE, rest)


def send_to_writable(timeout):
    for key, _ in selector.select(timeout):
        send(key.fileobj, key.data)


for _ in range(count):
    connection = socket.socket()
    connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_MAXSEG, 536)
    connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 2048)
    connection.connect(("127.0.0.1", port))
    connection.setblocking(False)
    connections.append(connection)
    own = requests.replace(b"RANDOM", str(random.random()).encode())
    selector.register(connection, selectors.EVENT_WRITE, own)
    send_to_writable(0)
print("connected", flush=True)
while True:
    send_to_writable(1)
