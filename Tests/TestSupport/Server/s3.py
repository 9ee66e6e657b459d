"""A service that speaks S3, as far as objects are listed, read and written, which verifies signatures.

It prints its port. POST /control replaces what it has and how it behaves (see `Service`); GET /log gives the requests
that were answered. GET /creds and the paths of a machine's metadata give the keys that it knows.
"""

import base64
import hashlib
import hmac
import http.server
import json
import socket
import sys
import threading
import time
import urllib.parse
import xml.etree.ElementTree
import xml.sax.saxutils

lock = threading.Lock()


class Service:
    """What a test says with POST /control."""

    def __init__(self, said):
        # By bucket: the texts of its objects, by key; "base64:…" is bytes.
        self.buckets = said.get("buckets", {})
        # [id, secret, session or null]; null: requests are not signed.
        self.keys = said.get("keys", ["account:user", "secret/+key", None])
        # Those of who assumes roles.
        self.callers = said.get("callers", ["CALLER", "caller/+secret", None])
        self.region = said.get("region", "us-east-1")
        # Keys of a page of a list.
        self.page = said.get("page", 1000)
        # Bytes after which the first answer with an object is cut, by key.
        self.cuts = said.get("cuts", {})
        # What objects become once they are listed, or once their first answer is cut; null: they go.
        self.listed = said.get("listed", {})
        self.cut = said.get("cut", {})
        # Statuses with which requests are answered first.
        self.fails = said.get("fails", [])
        # Requests whose answers are lost, once they are done: "PUT KEY", "POST KEY"; and those that are answered late.
        self.lost = said.get("lost", [])
        self.slow = said.get("slow", {})
        # What the keys of objects begin with that are written at once, and answered after a minute.
        self.slow_prefix = said.get("slowPrefix")
        # What the keys of objects begin with of which nothing is taken, and nothing is said.
        self.deaf = said.get("deaf")
        # Whether nothing is said to who reads.
        self.mute = said.get("mute", False)
        # What objects become after a request, "PUT KEY" or "GET KEY".
        self.then = said.get("then", {})
        # What these keys may not do: "PUT", or "PUT KEY".
        self.refuses = said.get("refuses", [])
        # How the keys end of objects that nobody can write at present.
        self.busy = said.get("busy")
        # Whether it knows conditions of writes.
        self.conditional = said.get("conditional", True)
        # What ends uploads badly, though it begins to answer well.
        self.broken = said.get("broken", False)
        # By their identifiers: [bucket, key, headers, parts by number].
        self.uploads = {f"begun/{i}": ["feeds", key, {}, {}] for i, key in enumerate(said.get("begun", []))}
        # By bucket and key: what went along with an object.
        self.headers = {tuple(k.split("/", 1)): v for k, v in said.get("headers", {}).items()}
        # When the keys of roles end.
        self.end = said.get("end", "2099-01-01T00:00:00Z")
        self.log = []


service = Service({})


def quoted(text):
    return urllib.parse.quote(text, safe="-_.~")


def digest(key, text):
    return hmac.new(key, text.encode(), hashlib.sha256).digest()


def signature(handler, signed, scope, secret):
    """The signature that a request should have (Signature Version 4)."""
    path, _, query = handler.path.partition("?")
    pairs = sorted((quoted(k), quoted(v)) for k, v in urllib.parse.parse_qsl(query, keep_blank_values=True))
    # With S3, a path is encoded once; with other services, once more than it was sent.
    decoded = urllib.parse.unquote if scope.split("/")[2] == "s3" else str
    canonical = [
        handler.command,
        "/".join(quoted(decoded(part)) for part in path.split("/")),
        "&".join(f"{name}={value}" for name, value in pairs),
        *(f"{name}:{' '.join((handler.headers[name] or '').split())}" for name in sorted(signed.split(";"))),
        "",
        # By their names, as services sort them.
        ";".join(sorted(signed.split(";"))),
        handler.headers.get("x-amz-content-sha256") or hashlib.sha256(handler.body).hexdigest(),
    ]
    moment = handler.headers["x-amz-date"]
    text = "\n".join(["AWS4-HMAC-SHA256", moment, scope, hashlib.sha256("\n".join(canonical).encode()).hexdigest()])
    key = b"AWS4" + secret.encode()
    for part in scope.split("/"):
        key = digest(key, part)
    return digest(key, text).hex()


def complaint(handler, keys=None):
    """Why a request is refused; None: it is signed as it must be."""
    said = handler.headers.get("Authorization", "")
    keys = keys or service.keys
    if keys is None:
        return "signed" if said else None
    if not said.startswith("AWS4-HMAC-SHA256 "):
        return "AccessDenied"
    parts = dict(part.strip().split("=", 1) for part in said.removeprefix("AWS4-HMAC-SHA256 ").split(","))
    identifier, scope = parts["Credential"].split("/", 1)
    name, secret, session = keys
    if identifier != name:
        return "InvalidAccessKeyId"
    if session != handler.headers.get("x-amz-security-token"):
        return "InvalidToken"
    if scope.split("/")[1] != service.region:
        return "AuthorizationHeaderMalformed"
    signed = parts["SignedHeaders"]
    if not {"host", "x-amz-date"} <= set(signed.split(";")):
        return "UnsignedHeaders"
    return None if signature(handler, signed, scope, secret) == parts["Signature"] else "SignatureDoesNotMatch"


def change(bucket, changes):
    for key, text in changes.items():
        if text is None:
            bucket.pop(key, None)
        else:
            bucket[key] = text


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    body = b""

    def log_message(self, *_):
        pass

    def send(self, status, body, headers=(), cut=None):
        self.send_response(status)
        self.send_header("Content-Length", str(len(body)))
        for name, value in headers:
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body if cut is None else body[:cut])
        if cut is not None:
            self.close_connection = True

    def refuse(self, status, code):
        self.send(status, f"<Error><Code>{code}</Code></Error>".encode(), [("Content-Type", "application/xml")])

    def do_PUT(self):
        key = urllib.parse.unquote(self.path.partition("?")[0]).removeprefix("/").partition("/")[2]
        if service.deaf and key.startswith(service.deaf):
            time.sleep(60)
            self.close_connection = True
            return None
        self.body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        if self.path == "/latest/api/token":
            return self.send(200, b"a-token")
        return self.change()

    def do_DELETE(self):
        self.body = b""
        return self.change()

    def change(self):
        """Writes, or removes, an object."""
        parsed = urllib.parse.urlparse(self.path)
        bucket, _, key = urllib.parse.unquote(parsed.path).removeprefix("/").partition("/")
        query = dict(urllib.parse.parse_qsl(parsed.query, keep_blank_values=True))
        time.sleep(service.slow.get(f"{self.command} {key}", 0))
        with lock:
            service.log.append({"method": self.command, "key": key, "query": query, "size": len(self.body)})
            if service.fails:
                return self.refuse(service.fails.pop(0), "SlowDown")
            code = complaint(self)
            if code:
                return self.refuse(403, code)
            if self.command in service.refuses or f"{self.command} {key}" in service.refuses:
                return self.refuse(403, "AccessDenied")
            if service.busy and self.command == "PUT" and key.endswith(service.busy):
                return self.refuse(503, "SlowDown")
            if bucket not in service.buckets:
                return self.refuse(404, "NoSuchBucket")
            status, body, headers = self.changed(bucket, key, query)
            change(service.buckets[bucket], service.then.pop(f"{self.command} {key}", {}))
            if f"{self.command} {key}" in service.lost:
                service.lost.remove(f"{self.command} {key}")
                self.close_connection = True
                return self.connection.shutdown(socket.SHUT_RDWR)
            delay = 60 if service.slow_prefix and key.startswith(service.slow_prefix) else 0
        time.sleep(delay)
        return self.send(status, body, headers)

    def changed(self, bucket, key, query):
        """What a request that changes something comes to: status, body, headers."""
        said = self.headers.get("x-amz-content-sha256", "UNSIGNED-PAYLOAD")
        if said not in ("UNSIGNED-PAYLOAD", hashlib.sha256(self.body).hexdigest()):
            return 400, b"<Error><Code>XAmzContentSHA256Mismatch</Code></Error>", []
        if "uploads" in query and self.command == "POST":
            name = f"upload/{len(service.uploads)}+="
            service.uploads[name] = [bucket, key, self.along(), {}]
            return 200, f"<X><Bucket>b</Bucket><UploadId>{name}</UploadId></X>".encode(), []
        if "uploadId" in query:
            return self.upload_changed(query)
        if self.command == "DELETE":
            service.buckets[bucket].pop(key, None)
            return 204, b"", []
        return self.written(bucket, key, self.body, self.along())

    def along(self):
        names = ("content-type", "cache-control")
        return {k: v for k, v in self.headers.items() if k.lower() in names or k.lower().startswith("x-amz-meta-")}

    def written(self, bucket, key, content, headers):
        there = service.buckets[bucket].get(key)
        none, match = self.headers.get("If-None-Match"), self.headers.get("If-Match")
        if (none or match) and not service.conditional:
            return 501, b"<Error><Code>NotImplemented</Code></Error>", []
        if none == "*" and there is not None or match is not None and (there is None or tag(there) != match):
            return 412, b"<Error><Code>PreconditionFailed</Code></Error>", []
        service.buckets[bucket][key] = "base64:" + base64.b64encode(content).decode()
        service.headers[bucket, key] = headers
        return 200, b"<X/>", [("ETag", tag(service.buckets[bucket][key]))]

    def upload_changed(self, query):
        upload = service.uploads.get(query["uploadId"])
        if upload is None:
            return 404, b"<Error><Code>NoSuchUpload</Code></Error>", []
        bucket, key, headers, parts = upload
        if self.command == "PUT":
            parts[query["partNumber"]] = self.body
            etag = f'"{hashlib.md5(self.body, usedforsecurity=False).hexdigest()}"'
            return 200, b"", [("ETag", etag)]
        if self.command == "DELETE":
            del service.uploads[query["uploadId"]]
            return 204, b"", []
        if service.broken:
            return 200, b'<?xml version="1.0"?>\n \n<Error><Code>InternalError</Code></Error>', []
        root = xml.etree.ElementTree.fromstring(self.body)
        named = [(part[0].text, part[1].text) for part in root]
        etags = [f'"{hashlib.md5(parts[n], usedforsecurity=False).hexdigest()}"' for n, _ in named]
        if etags != [etag for _, etag in named] or sorted(parts, key=int) != [n for n, _ in named]:
            return 400, b"<Error><Code>InvalidPart</Code></Error>", []
        answer = self.written(bucket, key, b"".join(parts[n] for n, _ in named), headers)
        if answer[0] == 200:
            del service.uploads[query["uploadId"]]
        return answer

    def do_POST(self):
        global service
        self.body = self.rfile.read(int(self.headers["Content-Length"]))
        with lock:
            if self.path == "/control":
                service = Service(json.loads(self.body))
                return self.send(200, b"{}")
            if self.path.startswith("/service"):
                return self.answer_service()
            if self.path == "/":
                return self.answer_sts()
        return self.change()

    def do_GET(self):
        if service.mute and self.path not in ("/log", "/state", "/names"):
            with lock:
                service.log.append({"method": "GET", "key": self.path, "range": None, "query": {}})
            time.sleep(60)
            self.close_connection = True
            return None
        with lock:
            if self.path == "/log":
                return self.send(200, json.dumps(service.log).encode())
            if self.path == "/state":
                return self.send(200, json.dumps(state()).encode())
            if self.path == "/names":
                return self.send(200, json.dumps(names()).encode())
            if self.path == "/creds" or self.path.startswith("/latest/"):
                return self.answer_role()
            if self.path.startswith("/service"):
                return self.answer_service()
            if self.path.startswith("/federation/"):
                return self.answer_sso()
            parsed = urllib.parse.urlparse(self.path)
            bucket, _, key = urllib.parse.unquote(parsed.path).removeprefix("/").partition("/")
            query = dict(urllib.parse.parse_qsl(parsed.query, keep_blank_values=True))
            service.log.append({"method": "GET", "key": key, "range": self.headers.get("Range"), "query": query})
            if service.fails:
                return self.refuse(service.fails.pop(0), "SlowDown")
            code = complaint(self)
            if code:
                return self.refuse(403, code)
            if bucket not in service.buckets:
                return self.refuse(404, "NoSuchBucket")
            if "uploads" in query:
                return self.list_uploads(bucket, query)
            if query.get("list-type") == "2":
                return self.list(service.buckets[bucket], query)
            return self.object(bucket, key)

    def answer_role(self):
        name, secret, session = service.keys
        keys = {"AccessKeyId": name, "SecretAccessKey": secret, "Token": session, "Expiration": service.end}
        if self.path == "/creds":
            right = self.headers.get("Authorization") == "container-token"
            return self.send(200, json.dumps(keys).encode()) if right else self.refuse(403, "Forbidden")
        if self.headers.get("X-aws-ec2-metadata-token") != "a-token":
            return self.refuse(401, "Unauthorized")
        if self.path.endswith("/a-role"):
            return self.send(200, json.dumps(keys).encode())
        return self.send(200, b"a-role")

    def answer_sts(self):
        """Gives the keys of a role to who may have them."""
        form = dict(urllib.parse.parse_qsl(self.body.decode()))
        service.log.append({"method": "STS", "key": "", "query": form})
        if form["Action"] == "AssumeRoleWithWebIdentity":
            right = form["WebIdentityToken"] == "web-token" and "Authorization" not in self.headers
            code = None if right else "InvalidIdentityToken"
        else:
            code = complaint(self, service.callers)
        if code:
            error = (
                f"<ErrorResponse><Error><Code>{code}</Code><Message>no &lt;{code}&gt;</Message></Error></ErrorResponse>"
            )
            return self.send(400 if code == "InvalidIdentityToken" else 403, error.encode())
        name, secret, session = service.keys
        out = f"<Credentials><AccessKeyId>{name}</AccessKeyId><SecretAccessKey>{secret}</SecretAccessKey>"
        out += f"<SessionToken>{session}</SessionToken><Expiration>{service.end}</Expiration></Credentials>"
        return self.send(200, f"<AssumeRoleResponse><X>{out}</X></AssumeRoleResponse>".encode())

    def answer_sso(self):
        query = dict(urllib.parse.parse_qsl(urllib.parse.urlparse(self.path).query))
        service.log.append({"method": "SSO", "key": "", "query": query})
        if self.headers.get("x-amz-sso_bearer_token") != "sso-token":
            return self.refuse(401, "UnauthorizedException")
        name, secret, session = service.keys
        keys = {"accessKeyId": name, "secretAccessKey": secret, "sessionToken": session, "expiration": 4102444800000}
        return self.send(200, json.dumps({"roleCredentials": keys}).encode())

    def answer_service(self):
        """A service of another kind whose requests are signed."""
        code = complaint(self)
        if code:
            return self.refuse(403, code)
        return self.send(200, b'{"items": [{"id": 1}]}', [("Content-Type", "application/json")])

    def list(self, bucket, query):
        prefix, after = query.get("prefix", ""), query.get("continuation-token", "")
        keys = sorted((key for key in bucket if key.startswith(prefix)), key=lambda key: key.encode())
        if query.get("delimiter") == "/":
            keys = [key for key in keys if "/" not in key[len(prefix) :]]
        keys = [key for key in keys if key.encode() > after.encode()]
        size = min(service.page, int(query.get("max-keys", 1000)))
        page, rest = keys[:size], keys[size:]
        out = '<?xml version="1.0"?>\n<ListBucketResult xmlns="http://s3.amazonaws.com/doc/2006-03-01/"><Name>b</Name>'
        out += f"<IsTruncated>{'true' if rest else 'false'}</IsTruncated>"
        for key in page:
            name = xml.sax.saxutils.escape(urllib.parse.quote_plus(key, safe="/"))
            out += f"<Contents><Key>{name}</Key><ETag>{xml.sax.saxutils.escape(tag(bucket[key]), {chr(34): '&quot;'})}"
            out += f"</ETag><Size>{len(content_of(bucket[key]))}</Size><Owner><ID>x</ID></Owner></Contents>"
        if rest:
            out += f"<NextContinuationToken>{xml.sax.saxutils.escape(page[-1])}</NextContinuationToken>"
        self.send(200, (out + "</ListBucketResult>").encode(), [("Content-Type", "application/xml")])
        if not rest:
            change(bucket, service.listed)
            service.listed = {}

    def list_uploads(self, bucket, query):
        out = "<ListMultipartUploadsResult>"
        for name, (owner, key, _, _) in service.uploads.items():
            if owner == bucket and key.startswith(query.get("prefix", "")):
                key = xml.sax.saxutils.escape(urllib.parse.quote_plus(key, safe="/"))
                out += f"<Upload><Key>{key}</Key><UploadId>{name}</UploadId></Upload>"
        self.send(200, (out + "</ListMultipartUploadsResult>").encode(), [("Content-Type", "application/xml")])

    def object(self, name, key):
        bucket = service.buckets[name]
        if key not in bucket:
            return self.refuse(404, "NoSuchKey")
        etag = tag(bucket[key])
        if self.headers.get("If-Match", etag) != etag:
            return self.refuse(412, "PreconditionFailed")
        content = content_of(bucket[key])
        headers = [("ETag", etag), *service.headers.get((name, key), {"Content-Type": "application/xml"}).items()]
        cut = service.cuts.pop(key, None)
        status, body = 200, content
        if "Range" in self.headers:
            first, last = self.headers["Range"].removeprefix("bytes=").split("-")
            start, body = int(first), content[int(first) : int(last) + 1 if last else None]
            if not body:
                return self.refuse(416, "InvalidRange")
            headers.append(("Content-Range", f"bytes {start}-{start + len(body) - 1}/{len(content)}"))
            status = 206
        self.send(status, body, headers, cut)
        change(bucket, service.then.pop(f"GET {key}", {}))
        if cut is not None:
            change(bucket, service.cut)
            service.cut = {}
        return None


def state():
    """What there is: the objects of each bucket, and what went along with them."""
    return {
        "objects": {
            bucket: {key: base64.b64encode(content_of(text)).decode() for key, text in objects.items()}
            for bucket, objects in service.buckets.items()
        },
        "headers": {f"{bucket}/{key}": headers for (bucket, key), headers in service.headers.items()},
    }


def names():
    """The keys of each bucket, and of uploads that have not ended."""
    return {
        "keys": {bucket: sorted(objects) for bucket, objects in service.buckets.items()},
        "uploads": [key for _, key, _, _ in service.uploads.values()],
    }


def content_of(text):
    if text.startswith("base64:"):
        return base64.b64decode(text.removeprefix("base64:"))
    return text.encode()


def tag(text):
    return '"' + hashlib.md5(content_of(text), usedforsecurity=False).hexdigest() + '"'


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
