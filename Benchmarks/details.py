#!/usr/bin/env python3
"""What requests for details cost beside what the service allows: 10,000 of them, of which `rate` allows so many, or of
which so many are made beside each other while each takes some time; and what a night transfers on which one in a hundred
has changed.

    details.py [--sluice FILE] [--count N]

The service is of this process, in one thread, and answers over connections that stay.
"""

import argparse
import asyncio
import json
import pathlib
import subprocess
import tempfile
import threading
import time

ROOT = pathlib.Path(__file__).resolve().parents[1]


class Service:
    def __init__(self, count):
        self.count = count
        self.latency = 0.0
        self.moments = []
        # By path, what has changed; and how many answers had a content.
        self.versions = {}
        self.contents = 0
        self.port = 0
        self.loop = asyncio.new_event_loop()
        ready = threading.Event()
        threading.Thread(target=self.run, args=(ready,), daemon=True).start()
        ready.wait()

    def run(self, ready):
        asyncio.set_event_loop(self.loop)
        server = self.loop.run_until_complete(asyncio.start_server(self.answer, "127.0.0.1", 0, backlog=128))
        self.port = server.sockets[0].getsockname()[1]
        ready.set()
        self.loop.run_forever()

    async def answer(self, reader, writer):
        while True:
            try:
                request = await reader.readuntil(b"\r\n\r\n")
            except (asyncio.IncompleteReadError, ConnectionError):
                return writer.close()
            path = request.split(b" ", 2)[1].decode()
            version = f'"{self.versions.get(path, 1)}"'
            if path != "/items" and f"If-None-Match: {version}\r\n".encode() in request:
                writer.write(f"HTTP/1.1 304 Not Modified\r\nETag: {version}\r\n\r\n".encode())
                continue
            self.contents += path != "/items"
            if path == "/items":
                body = json.dumps({"items": [{"id": number} for number in range(self.count)]})
            else:
                self.moments.append(time.monotonic())
                if self.latency:
                    await asyncio.sleep(self.latency)
                body = json.dumps({"details": [{"id": path.rsplit("/", 1)[1], "name": "x" * 200 + version}]})
            tag = "" if path == "/items" else f"ETag: {version}\r\n"
            head = f"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n{tag}Content-Length: {len(body)}\r\n\r\n"
            writer.write(head.encode() + body.encode())


def definition(port, more):
    return f"""{{
      "sources": {{
        "items": {{ "url": "http://127.0.0.1:{port}/items" }},
        "details": {{ "url": "http://127.0.0.1:{port}/items/{{id}}", "for": "Item", {more} }}
      }},
      "store": {{ "sqlite": "s.sqlite" }},
      "entities": {{
        "Item": {{
          "source": "items", "records": "$.items[*]", "identifier": "id", "attributes": {{ "id": "integer" }} }},
        "Detail": {{
          "source": "details", "records": "$.details[*]", "identifier": "id",
          "attributes": {{ "id": "integer", "name": "text" }} }}
      }}
    }}"""


def measure(service, sluice, more, allowed, what):
    with tempfile.TemporaryDirectory() as folder:
        file = pathlib.Path(folder, "p.jsonc")
        file.write_text(definition(service.port, more))
        service.moments.clear()
        subprocess.run([sluice, "run", "-q", str(file)], check=True)
    took = service.moments[-1] - service.moments[0] + service.latency
    assert len(service.moments) == service.count
    print(f"{what}: {took:.2f} s, of {allowed:.2f} s that are allowed: {took / allowed:.3f}")


def measure_nights(service, sluice):
    """A night on which one in a hundred has changed, after one that has asked for all."""
    with tempfile.TemporaryDirectory() as folder:
        file = pathlib.Path(folder, "p.jsonc")
        file.write_text(definition(service.port, '"requests": 16, "cache": "100 MB"'))
        for night in (1, 2):
            service.contents = 0
            report = pathlib.Path(folder, "report.json")
            subprocess.run([sluice, "run", "-q", str(file), "--report", str(report)], check=True)
            told = json.loads(report.read_text())
            bytes_, updated = told["wire"]["details"]["bytes"], told["entities"]["Detail"]["updated"]
            print(f"night {night}: {service.contents} contents, {bytes_} bytes, {updated} updated")
            service.versions = {f"/items/{number}": 2 for number in range(0, service.count, 100)}


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sluice", default=str(ROOT / ".build/release/sluice"))
    parser.add_argument("--count", type=int, default=10_000)
    options = parser.parse_args()
    service = Service(options.count)
    for rate in (100, 500):
        count = options.count if rate > 100 else min(options.count, 2000)
        service.count = count
        for requests in (1, 16):
            more = f'"rate": "{rate}/s", "requests": {requests}'
            # Between the first and the last are one fewer.
            measure(service, options.sluice, more, (count - 1) / rate, f"{count} at {rate}/s, {requests} beside")
    service.count, service.latency = options.count, 0.05
    allowed = options.count * service.latency / 16
    measure(service, options.sluice, '"requests": 16', allowed, f"{options.count} of 50 ms, 16 beside each other")
    service.latency = 0.0
    measure_nights(service, options.sluice)


main()
