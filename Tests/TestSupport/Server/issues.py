"""A web service of issues and their comments, as services are: pages, tokens that expire, 429 in bursts, ETags.

It prints its port. POST /control replaces what it has and how it behaves (see `Service`); GET /log gives the requests
that there were, GET /counts how many tokens it gave and how many requests it had at once.

GET /issues and GET /issues/N/comments answer in pages: `style` says how the next one is asked for. Both take `since`.
"""

import hashlib
import http.server
import json
import socket
import sys
import threading
import time
import urllib.parse

lock = threading.Condition()


class Service:
    """What a test says with POST /control."""

    def __init__(self, said):
        # [{"number": 1, "updated": "…", "comments": [{"id": 10, "updated": "…", "text": "…"}]}]
        self.issues = said.get("issues", [])
        # Records of a page.
        self.size = said.get("size", 2)
        # cursor, number, link or single (all in one page).
        self.style = said.get("style", "cursor")
        # Requests that a token is good for; None: there are no tokens.
        self.uses = said.get("uses")
        # So many requests are answered, and then all for some seconds with 429.
        self.burst = said.get("burst")
        # A comment request is answered when so many are waiting.
        self.gather = said.get("gather", 1)
        # By path and query: the status that it is answered with.
        self.fails = said.get("fails", {})
        # How many requests are answered at all; then connections are cut.
        self.lives = said.get("lives")
        # Seconds before a connection is cut: what others have been sent has come by then.
        self.pause = said.get("pause", 0)
        # Seconds before an answer, by the number of the issue modulo their count.
        self.delays = said.get("delays", [0])
        # Whether answers have an ETag, and what Cache-Control says.
        self.tags = said.get("tags", False)
        self.control = said.get("control")
        self.total = said.get("total")
        self.log = []
        self.tokens = {}
        self.given = 0
        self.active = 0
        self.most = 0
        self.answered = 0
        self.silence = 0.0


service = Service({})


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def setup(self):
        super().setup()
        self.connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)

    def log_message(self, *_):
        pass

    def send(self, status, value, headers=()):
        body = b"" if value is None else json.dumps(value).encode()
        head = f"HTTP/1.1 {status} X\r\nContent-Type: application/json\r\nContent-Length: {len(body)}\r\n"
        head += "".join(f"{name}: {text}\r\n" for name, text in headers)
        self.wfile.write(head.encode() + b"\r\n" + body)

    def do_POST(self):
        global service
        body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        if self.path == "/control":
            with lock:
                service = Service(json.loads(body))
            return self.send(200, {})
        with lock:
            service.given += 1
            token = f"token-{service.given}"
            service.tokens[token] = service.uses
        return self.send(200, {"access_token": token, "token_type": "Bearer"})

    def do_GET(self):
        if self.path == "/log":
            return self.send(200, service.log)
        if self.path == "/counts":
            return self.send(200, {"tokens": service.given, "most": service.most})
        with lock:
            service.active += 1
            service.most = max(service.most, service.active)
            lock.notify_all()
        try:
            status = self.answer()
        finally:
            with lock:
                service.active -= 1
        with lock:
            service.log.append({"path": self.path, "status": status, "tag": self.headers.get("If-None-Match")})

    def refusal(self):
        """A status that keeps a request from being answered, and its headers."""
        with lock:
            if service.lives is not None:
                service.lives -= 1
                if service.lives < 0:
                    return 0, []
            if service.burst:
                if time.time() < service.silence:
                    return 429, [("Retry-After", "1")]
                service.answered += 1
                if service.answered % service.burst["allow"] == 0:
                    service.silence = time.time() + service.burst["seconds"]
            if service.uses is not None:
                token = self.headers.get("Authorization", "").removeprefix("Bearer ")
                if service.tokens.get(token, 0) <= 0:
                    return 401, []
                service.tokens[token] -= 1
        return service.fails.get(self.path), []

    def answer(self):
        status, headers = self.refusal()
        if status == 0:
            time.sleep(service.pause)
            self.close_connection = True
            return 0
        if status:
            self.send(status, {"message": "no"}, headers)
            return status
        address = urllib.parse.urlparse(self.path)
        query = dict(urllib.parse.parse_qsl(address.query))
        parts = address.path.strip("/").split("/")
        if len(parts) == 1:
            return self.page(service.issues, query, address, "issues", without="comments")
        found = [issue for issue in service.issues if str(issue["number"]) == parts[1]]
        with lock:
            while service.active < service.gather and service.gather > 1:
                lock.wait(5)
            service.gather = 1
        time.sleep(service.delays[int(parts[1]) % len(service.delays)])
        if not found:
            self.send(404, {"message": "not found"})
            return 404
        if len(parts) == 2:
            return self.send_tagged({k: v for k, v in found[0].items() if k != "comments"})
        return self.page(found[0]["comments"], query, address, "comments")

    def page(self, records, query, address, name, without=None):
        records = [r for r in records if r["updated"] >= query.get("since", "")]
        total, size = len(records), service.size
        records = [{k: v for k, v in r.items() if k != without} for r in records]
        if service.style == "single":
            return self.send_tagged({name: records})
        start = int(query.get("after", 0)) if service.style != "number" else (int(query.get("page", 1)) - 1) * size
        answer = {name: records[start:start + size], "total": service.total or total}
        end = start + size if start + size < total else None
        headers = []
        if service.style == "cursor":
            answer["next"] = end
        if service.style == "link" and end:
            kept = "&".join(f"{k}={v}" for k, v in query.items() if k != "after")
            headers = [("Link", f'<{address.path}?{kept}&after={end}>; rel="next"')]
        return self.send_tagged(answer, headers)

    def send_tagged(self, answer, headers=()):
        headers = list(headers)
        if service.control:
            headers.append(("Cache-Control", service.control))
        if service.tags:
            tag = '"' + hashlib.sha256(json.dumps(answer).encode()).hexdigest()[:16] + '"'
            headers.append(("ETag", tag))
            if self.headers.get("If-None-Match") == tag:
                self.send(304, None, headers)
                return 304
        self.send(200, answer, headers)
        return 200


class Server(http.server.ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 128

    def handle_error(self, request, client_address):
        pass


server = Server(("127.0.0.1", 0), Handler)
print(server.server_address[1], flush=True)
# The test that started the server has ended when its end of the pipe is closed.
threading.Thread(target=lambda: (sys.stdin.read(), server.shutdown()), daemon=True).start()
server.serve_forever()
