"""Passes connections on to a port of this machine, and cuts the first that has brought some bytes from there.

    cut.py PORT BYTES [FILE TEXT]    what FILE becomes before that connection is cut
    cut.py PORT BYTES silent         it is not cut, but brings nothing more
    cut.py PORT BYTES deaf           likewise, and all later ones bring nothing at all

It prints its port, and ends with who has started it.
"""

import pathlib
import socket
import sys
import threading

target, most = int(sys.argv[1]), int(sys.argv[2])
way = sys.argv[3] if len(sys.argv) == 4 else "cut"
left = [most]
lock = threading.Lock()


def taken(count):
    """Whether the connection is cut for these bytes."""
    with lock:
        if left[0] <= 0:
            return False
        left[0] -= count
        if left[0] > 0:
            return False
    if len(sys.argv) > 4:
        pathlib.Path(sys.argv[3]).write_text(sys.argv[4])
    return True


def carry(source, sink, counts):
    try:
        while data := source.recv(1 << 16):
            if counts and way == "deaf" and left[0] <= 0:
                continue
            if counts and taken(len(data)):
                if way == "cut":
                    break
                # The other side must not notice, either.
                while source.recv(1 << 16):
                    pass
                return
            sink.sendall(data)
    except OSError:
        pass
    for end in (source, sink):
        try:
            end.shutdown(socket.SHUT_RDWR)
        except OSError:
            pass


def main():
    listener = socket.create_server(("127.0.0.1", 0))
    print(listener.getsockname()[1], flush=True)

    def serve():
        while True:
            client, _ = listener.accept()
            server = socket.create_connection(("127.0.0.1", target))
            threading.Thread(target=carry, args=(client, server, False), daemon=True).start()
            threading.Thread(target=carry, args=(server, client, True), daemon=True).start()

    threading.Thread(target=serve, daemon=True).start()
    sys.stdin.read()


main()
