"""Opens connections with small windows, sends what it reads from standard input over each, and never reads.

silent_clients.py PORT CONNECTIONS, until it is killed. RANDOM in the input is another number on each connection.

On loopback the kernel takes megabytes for a reader that does not read. A small maximum segment and a small receive
buffer, set before the connection exists, let a server notice after 30 kB, as with such a client on the internet.
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
        rest = b""  # The server has closed the connection, as it may.
    if not rest:
        selector.unregister(connection)
    else:
        selector.modify(connection, selectors.EVENT_WRITE, rest)


def send_what_is_taken(timeout):
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
    send_what_is_taken(0)
print("connected", flush=True)
while True:
    send_what_is_taken(1)
