"""A token service (RFC 6749, 7523, 8628) and a feed behind it.

It prints its port. POST /control replaces what it knows and how it behaves (see `Service`); GET /log gives the forms
that were posted to it. POST /token gives tokens, POST /device codes; GET /feed wants a token.
"""

import base64
import http.server
import json
import subprocess
import sys
import tempfile
import threading
import time
import urllib.parse

lock = threading.Lock()
BEARER = "urn:ietf:params:oauth:client-assertion-type:jwt-bearer"


class Service:
    """What a test says with POST /control."""

    def __init__(self, said):
        # The refresh token that is good.
        self.refresh = said.get("refresh")
        # Whether each refresh token is good once: who uses an old one loses all.
        self.rotates = said.get("rotates", True)
        # Whether a token comes with a refresh token.
        self.gives = said.get("gives", True)
        # Requests for the feed that a token is good for.
        self.uses = said.get("uses", 100)
        self.lifetime = said.get("lifetime", 3600)
        self.secret = said.get("secret")
        # The public key of who signs, and the algorithm.
        self.key = said.get("key")
        self.algorithm = said.get("algorithm")
        # What a signature must say.
        self.claims = said.get("claims", {})
        # Answers to who asks whether a code was entered.
        self.answers = said.get("answers", [])
        # Token requests that are answered with 503 first.
        self.fails = said.get("fails", 0)
        self.log = []
        self.tokens = {}
        self.given = 0
        self.serials = set()


service = Service({})


def decoded(text):
    return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))


def der(signature):
    """The two numbers of a signature as libcrypto takes them."""

    def number(data):
        data = data.lstrip(b"\0")
        if not data or data[0] & 0x80:
            data = b"\0" + data
        return b"\x02" + bytes([len(data)]) + data

    half = len(signature) // 2
    body = number(signature[:half]) + number(signature[half:])
    return b"\x30" + bytes([len(body)]) + body


def is_signed(token):
    """Whether a token is signed by the key, with the claims that are wanted, and new."""
    head, body, signature = token.split(".")
    header, claims = json.loads(decoded(head)), json.loads(decoded(body))
    if header["alg"] != service.algorithm or claims["jti"] in service.serials:
        return False
    service.serials.add(claims["jti"])
    if not claims["iat"] - 60 < time.time() < claims["exp"]:
        return False
    if header.get("kid") != service.claims.get("kid"):
        return False
    if any(claims.get(name) != value for name, value in service.claims.items() if name != "kid"):
        return False
    raw = decoded(signature)
    if service.algorithm.startswith("ES"):
        raw = der(raw)
    with tempfile.TemporaryDirectory() as folder:
        for name, content in [("key", service.key.encode()), ("text", f"{head}.{body}".encode()), ("signature", raw)]:
            with open(f"{folder}/{name}", "wb") as file:
                file.write(content)
        if service.algorithm == "EdDSA":
            words = ["pkeyutl", "-verify", "-pubin", "-inkey", "key", "-rawin", "-in", "text", "-sigfile", "signature"]
        else:
            words = ["dgst", "-sha384" if service.algorithm == "ES384" else "-sha256"]
            words += ["-verify", "key", "-signature", "signature", "text"]
        done = subprocess.run(["openssl", *words], cwd=folder, capture_output=True, check=False)
    return done.returncode == 0


def is_known(form, authorization):
    """Whether the client says who it is, as it must."""
    if service.key and form.get("client_assertion_type") == BEARER:
        return is_signed(form["client_assertion"])
    if service.secret:
        user = base64.b64encode(f"sluice:{service.secret}".encode()).decode()
        return authorization == f"Basic {user}"
    return form.get("client_id") == "sluice"


def token():
    """An answer with a new token, and perhaps a refresh token."""
    service.given += 1
    name = f"token-{service.given}"
    service.tokens[name] = service.uses
    answer = {"access_token": name, "token_type": "Bearer"}
    if service.lifetime:
        answer["expires_in"] = service.lifetime
    if service.gives:
        if service.rotates:
            service.refresh = f"refresh-{service.given}"
        answer["refresh_token"] = service.refresh
    return 200, answer


def answer_token(form, authorization):
    if service.fails > 0:
        service.fails -= 1
        return 503, {"error": "temporarily_unavailable"}
    grant = form.get("grant_type")
    if grant == "urn:ietf:params:oauth:grant-type:jwt-bearer":
        return token() if is_signed(form["assertion"]) else (400, {"error": "invalid_grant"})
    if not is_known(form, authorization):
        return 401, {"error": "invalid_client"}
    if grant == "client_credentials":
        return token()
    if grant == "refresh_token":
        if service.refresh and form.get("refresh_token") == service.refresh:
            return token()
        service.refresh = None
        return 400, {"error": "invalid_grant"}
    if form.get("device_code") != "device-1":
        return 400, {"error": "invalid_grant"}
    if service.answers:
        return 400, {"error": service.answers.pop(0)}
    return token()


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *_):
        pass

    def answer(self, status, value):
        body = json.dumps(value).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def do_GET(self):
        with lock:
            if self.path == "/log":
                return self.answer(200, service.log)
            name = self.headers.get("Authorization", "").removeprefix("Bearer ")
            if service.tokens.get(name, 0) <= 0:
                return self.answer(401, {"error": "invalid_token"})
            service.tokens[name] -= 1
            page = int(dict(urllib.parse.parse_qsl(self.path.partition("?")[2])).get("page", 1))
            return self.answer(200, {"items": [{"id": page}] if page < 4 else []})

    def do_POST(self):
        global service
        body = self.rfile.read(int(self.headers["Content-Length"])).decode()
        with lock:
            if self.path == "/control":
                service = Service(json.loads(body))
                return self.answer(200, {})
            form = dict(urllib.parse.parse_qsl(body))
            service.log.append(form)
            if self.path == "/device":
                if not is_known(form, self.headers.get("Authorization")):
                    return self.answer(401, {"error": "invalid_client"})
                return self.answer(
                    200,
                    {
                        "device_code": "device-1",
                        "user_code": "ABCD-EFGH",
                        "verification_uri": "https://login.example.org/device",
                        "verification_uri_complete": "https://login.example.org/device?code=ABCD-EFGH",
                        "expires_in": 60,
                        "interval": 0.01,
                    },
                )
            return self.answer(*answer_token(form, self.headers.get("Authorization")))


class Server(http.server.ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 128

    def handle_error(self, request, client_address):
        """The client may be gone."""


def main():
    server = Server(("127.0.0.1", 0), Handler)
    print(server.server_address[1], flush=True)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    # It ends with who has started it.
    sys.stdin.read()


main()
