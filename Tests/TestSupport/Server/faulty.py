"""A web server that does what a script says, right or wrong: for tests.

A request for /KEY?… is answered by the script of that key, which POST /KEY has set: a list of steps, one for each
request, of which the last one goes on. GET /KEY/log gives the requests that there were. It prints its port.

A step: status, headers (a list of pairs), body (text), file (a path) or items (a feed of so many records, from
`first` on), repeat (the body so often), encoding (gzip, deflate, raw-deflate, zstd, or several with ", " between
them; with always, even if it is not asked for), says (what the header says instead), flush (the compressed stream
ends, flushed, after so many bytes of the body), damage (the index of a byte of what is sent that is changed; from the
end, if negative), after (text behind what is sent), part (how much of what is to be sent is sent as if it were all),
chunked, range (serves ranges; with encoding, of the compressed content), cut (bytes of the body before it breaks
off), stall (seconds, there), piece (bytes sent at once), length (what Content-Length says), unframed (no length at
all), endless (body or headers), filler (bytes of one long header), trailer (lines behind the last chunk), delay
(seconds before the answer), unless (a header and a value: with these, the step `else` counts), date (seconds from
now, as the header Retry-After).

A script with one step that has answers (bodies by name) answers the files of a service, by what is behind the key with
its escapes resolved, and what is posted to it, by the cursor `after` among the variables. What is not among them is not
found. All these requests are in the log of the key, with the name as their target.
"""

import email.utils
import functools
import json
import socket
import socketserver
import subprocess
import sys
import threading
import time
import urllib.parse
import zlib

scripts = {}
logs = {}
lock = threading.Lock()


def feed(first, count):
    items = [{"id": i, "name": "item %d" % i, "parent": i // 2} for i in range(first, first + count)]
    return json.dumps({"items": items}).encode()


@functools.lru_cache(maxsize=2)
def memory_of(path):
    with open(path, "rb") as file:
        return memoryview(file.read())


def deflated(body, window, flush):
    """Always the same bytes, unlike those of the module gzip."""
    stream = zlib.compressobj(wbits=window)
    if flush is None:
        return stream.compress(body) + stream.flush()
    return stream.compress(body[:flush]) + stream.flush(zlib.Z_FULL_FLUSH)


def encoded(body, coding, flush):
    if coding == "zstd":
        return subprocess.run(["zstd", "-qc"], input=body, stdout=subprocess.PIPE).stdout
    windows = {"gzip": 31, "x-gzip": 31, "deflate": 15, "raw-deflate": -15}
    return deflated(body, windows[coding], flush) if coding in windows else body


def cursor(body):
    after = json.loads(body)["variables"]["after"]
    return "null" if after is None else str(after)


class Handler(socketserver.StreamRequestHandler):
    def handle(self):
        self.connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        try:
            while self.answer():
                pass
        except (BrokenPipeError, ConnectionResetError, TimeoutError):
            pass

    def answer(self):
        line = self.rfile.readline().decode("latin-1").split()
        if len(line) < 2:
            return False
        headers = {}
        while True:
            field = self.rfile.readline().decode("latin-1").strip()
            if not field:
                break
            name, _, value = field.partition(":")
            headers[name.lower()] = value.strip()
        body = self.rfile.read(int(headers.get("content-length", 0)))
        # A proxy is asked for the whole address.
        target = "/" + line[1].split("/", 3)[3] if line[1].startswith("http://") else line[1]
        key, _, query = target[1:].partition("?")
        if line[0] == "POST" and headers.get("x-script"):
            with lock:
                scripts[key], logs[key] = json.loads(body), []
            return self.send_whole(200, b"")
        if key.endswith("/log"):
            with lock:
                return self.send_whole(200, json.dumps(logs.get(key[:-4], [])).encode())
        with lock:
            steps = scripts.get(key)
            base, slash, rest = key.partition("/")
            answers = scripts.get(base, [{}])[0].get("answers")
            if answers is not None:
                name = urllib.parse.unquote(rest) if slash else cursor(body)
                logs[base].append({"method": line[0], "query": query, "target": name, "headers": headers, "body": body.decode()})
                found = answers.get(name)
                return self.send_whole(404 if found is None else 200, (found or "").encode())
            if steps is None:
                return self.send_whole(404, b"no such script")
            step = steps[min(len(logs[key]), len(steps) - 1)]
            logs[key].append({"method": line[0], "query": query, "target": line[1], "headers": headers, "body": body.decode()})
        if "unless" in step and headers.get(step["unless"][0]) == step["unless"][1]:
            step = step["else"]
        return self.play(step, headers)

    def send_whole(self, status, body):
        self.wfile.write(b"HTTP/1.1 %d X\r\nContent-Length: %d\r\n\r\n" % (status, len(body)) + body)
        return True

    def play(self, step, headers):
        time.sleep(step.get("delay", 0))
        body = step.get("body", "").encode()
        if "items" in step:
            body = feed(step.get("first", 0), step["items"])
        if "file" in step:
            body = memory_of(step["file"])
        if "repeat" in step:
            body *= step["repeat"]
        fields = [tuple(pair) for pair in step.get("headers", [])]
        status = step.get("status", 200)
        accepts = headers.get("accept-encoding", "")
        coding = step.get("encoding")
        codings = coding.split(", ") if coding else []
        isEncoded = codings and (all(c.removeprefix("raw-") in accepts for c in codings) or step.get("always"))
        if isEncoded:
            for each in codings:
                body = encoded(body, each, step.get("flush"))
            fields.append(("Content-Encoding", step.get("says", coding.replace("raw-", ""))))
        if "damage" in step:
            body = bytearray(body)
            body[step["damage"]] ^= 0x55
        if "part" in step:
            body = body[:step["part"]]
        if "after" in step:
            body = bytes(body) + step["after"].encode()
        if (not isEncoded or step.get("range") == "encoded") and step.get("range") and "range" in headers and status == 200:
            etag = dict(fields).get("ETag")
            if headers.get("if-range") in (None, etag, dict(fields).get("Last-Modified")):
                start = int(headers["range"].split("=")[1].split("-")[0])
                if start >= len(body):
                    return self.send_whole(416, b"")
                fields.append(("Content-Range", "bytes %d-%d/%d" % (start, len(body) - 1, len(body))))
                status, body = 206, body[start:]
                # What the client knows already is left out (RFC 9110, section 15.3.7).
                fields = [pair for pair in fields if pair[0] != "Content-Encoding"]
        if "date" in step:
            moment = email.utils.formatdate(time.time() + step["date"], usegmt=True)
            fields.append(("Retry-After", moment))
        if not any(name.lower() == "content-type" for name, _ in fields):
            fields.append(("Content-Type", "application/json"))
        fields.append(("Date", email.utils.formatdate(usegmt=True)))
        chunked = step.get("chunked")
        if chunked:
            fields.append(("Transfer-Encoding", "chunked"))
        elif not step.get("unframed"):
            fields.append(("Content-Length", str(step.get("length", len(body)))))
        out = "HTTP/1.1 %d X\r\n" % status + "".join("%s: %s\r\n" % pair for pair in fields)
        self.wfile.write(out.encode("latin-1"))
        if "filler" in step:
            self.wfile.write(b"X-Filler: " + b"x" * step["filler"] + b"\r\n")
        if step.get("endless") == "headers":
            while True:
                self.wfile.write(b"X-More: " + b"x" * 1000 + b"\r\n")
        self.wfile.write(b"\r\n")
        sent = body[:step["cut"]] if "cut" in step else body
        if step.get("endless") == "body":
            while True:
                self.wfile.write(b" " * 65536)
        piece = step.get("piece", 1 << 20)
        for at in range(0, len(sent), piece):
            part = sent[at:at + piece]
            self.wfile.write(b"%x\r\n" % len(part) + bytes(part) + b"\r\n" if chunked else part)
        if "stall" in step:
            time.sleep(step["stall"])
        if "cut" in step or step.get("unframed"):
            return False
        if chunked:
            self.wfile.write(b"0\r\n" + step.get("trailer", "").encode() + b"\r\n")
        return True


class Server(socketserver.ThreadingTCPServer):
    daemon_threads = True
    request_queue_size = 64

    def handle_error(self, request, client_address):
        pass


server = Server(("127.0.0.1", 0), Handler)
print(server.server_address[1], flush=True)
# The test that started the server has ended when its end of the pipe is closed.
threading.Thread(target=lambda: (sys.stdin.read(), server.shutdown()), daemon=True).start()
server.serve_forever()
