"""A stand-in for the Messages API on loopback: gives scripted replies, and keeps what it was asked.

Each POST to /v1/messages takes the next reply of the script, and the last one is given again and again. Whatever
else a client asks for on the way (is anybody there, how many tokens, which models) is answered and takes no reply.
"""

from __future__ import annotations

import json
import socket
import threading
from collections.abc import Iterator, Mapping, Sequence
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, NamedTuple, Optional

Json = dict[str, Any]

HOST = "127.0.0.1"
KEYS = ("x-api-key", "authorization")
USAGE = {"input_tokens": 10, "cache_creation_input_tokens": 0, "cache_read_input_tokens": 0, "output_tokens": 5}


class Reply(NamedTuple):
    """What one request gets: content blocks, or an error with its status; or not even that, see `manner`."""

    blocks: tuple[Json, ...] = ()
    status: int = 200
    error: Optional[Json] = None
    headers: Mapping[str, str] = {}
    manner: str = "whole"


HANGS, GARBAGE, CUT = Reply(manner="hangs"), Reply(manner="garbage"), Reply(manner="cut")


def says(text: str) -> Reply:
    return Reply(({"type": "text", "text": text},))


def uses(name: str, **arguments: Any) -> Reply:
    return Reply(({"type": "tool_use", "name": name, "input": arguments},))


def fails(status: int, kind: str, message: str, headers: Optional[Mapping[str, str]] = None) -> Reply:
    return Reply(status=status, error={"type": kind, "message": message}, headers=headers or {})


class Request(NamedTuple):
    method: str
    path: str
    headers: Mapping[str, str]
    body: Json

    @property
    def is_message(self) -> bool:
        return self.method == "POST" and self.path.partition("?")[0] == "/v1/messages"


def message(reply: Reply, model: str, number: int) -> Json:
    """The whole message; each tool use has an id that no other has."""
    content = [
        {"id": f"toolu_{number:04}_{place}", **block} if block["type"] == "tool_use" else block
        for place, block in enumerate(reply.blocks)
    ]
    return {
        "id": f"msg_{number:04}",
        "type": "message",
        "role": "assistant",
        "model": model,
        "content": content,
        "stop_reason": "tool_use" if any(block["type"] == "tool_use" for block in content) else "end_turn",
        "stop_sequence": None,
        "usage": USAGE,
    }


def events(whole: Json) -> Iterator[Json]:
    """The same message as the stream tells it."""
    yield {"type": "message_start", "message": {**whole, "content": [], "stop_reason": None, "usage": {**USAGE, "output_tokens": 1}}}
    for index, block in enumerate(whole["content"]):
        if block["type"] == "text":
            empty, delta = {**block, "text": ""}, {"type": "text_delta", "text": block["text"]}
        else:
            empty, delta = {**block, "input": {}}, {"type": "input_json_delta", "partial_json": json.dumps(block["input"])}
        yield {"type": "content_block_start", "index": index, "content_block": empty}
        yield {"type": "content_block_delta", "index": index, "delta": delta}
        yield {"type": "content_block_stop", "index": index}
    yield {
        "type": "message_delta",
        "delta": {"stop_reason": whole["stop_reason"], "stop_sequence": None},
        "usage": {"output_tokens": USAGE["output_tokens"]},
    }
    yield {"type": "message_stop"}


def as_stream(whole: Json) -> bytes:
    return "".join(f"event: {event['type']}\ndata: {json.dumps(event)}\n\n" for event in events(whole)).encode()


class Handler(BaseHTTPRequestHandler):
    api: MessagesApi

    def do_POST(self) -> None:
        request = self.noted()
        if request.is_message:
            self.play(self.api.next_reply(), request)
        else:
            self.send(200, {"input_tokens": USAGE["input_tokens"]})

    def do_GET(self) -> None:
        self.noted()
        self.send(200, {"data": [], "has_more": False})

    def do_HEAD(self) -> None:
        self.noted()
        self.send(200, b"")

    def do_CONNECT(self) -> None:
        """Whoever takes us for a proxy wants to go elsewhere."""
        self.noted()
        self.send(403, b"")

    def noted(self) -> Request:
        sent = self.rfile.read(int(self.headers.get("content-length", 0)))
        headers = {name.lower(): value for name, value in self.headers.items() if name.lower() not in KEYS}
        request = Request(self.command, self.path, headers, json.loads(sent) if sent else {})
        self.api.requests.append(request)
        return request

    def play(self, reply: Reply, request: Request) -> None:
        if reply.manner == "hangs":
            self.api.closing.wait()
        elif reply.manner == "garbage":
            self.send(200, b"\x00\xff<html>welcome to this hotel's wifi</html>", kind="text/html")
        elif reply.error:
            self.send(reply.status, {"type": "error", "error": reply.error, "request_id": "req_1"}, headers=reply.headers)
        else:
            self.answer(reply, request.body)

    def answer(self, reply: Reply, body: Json) -> None:
        is_cut = reply.manner == "cut"
        blocks = reply.blocks or ({"type": "text", "text": "half of a sentence, and then"},) if is_cut else reply.blocks
        whole = message(reply._replace(blocks=blocks), body.get("model", "none"), len(self.api.requests))
        is_stream = bool(body.get("stream"))
        data = as_stream(whole) if is_stream else json.dumps(whole).encode()
        kind = "text/event-stream" if is_stream else "application/json"
        self.send(200, data, kind=kind, headers=reply.headers, sent=len(data) // 2 if is_cut else None)

    def send(
        self,
        status: int,
        content: bytes | Json,
        *,
        kind: str = "application/json",
        headers: Mapping[str, str] = {},
        sent: Optional[int] = None,
    ) -> None:
        """Announce all of the content, and send as much of it as `sent` says."""
        data = content if isinstance(content, bytes) else json.dumps(content).encode()
        self.send_response(status)
        for name, value in {"content-type": kind, "content-length": str(len(data)), **headers}.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(data[:sent])

    def log_message(self, *_: Any) -> None:
        pass


class Server(ThreadingHTTPServer):
    daemon_threads, block_on_close = True, False

    def handle_error(self, *_: Any) -> None:
        """Clients that are killed in the middle of a request are what we are here for."""


class MessagesApi:
    """The script, the log, and the servers that play the one and write the other."""

    def __init__(self, *script: Reply) -> None:
        self.requests: list[Request] = []
        self.closing = threading.Event()
        self._servers: list[Server] = []
        self._lock = threading.Lock()
        self.plays(*script)

    def plays(self, *script: Reply) -> None:
        self._script: Sequence[Reply] = script
        self._given = 0

    def next_reply(self) -> Reply:
        with self._lock:
            reply = self._script[min(self._given, len(self._script) - 1)]
            self._given += 1
            return reply

    @property
    def messages(self) -> list[Request]:
        return [request for request in self.requests if request.is_message]

    def serve(self, listener: socket.socket) -> int:
        """Answer whoever comes through this socket, which may belong to another network namespace; its port."""
        handler = type("HandlerOfThis", (Handler,), {"api": self})
        server = Server(listener.getsockname(), handler, bind_and_activate=False)
        server.socket.close()
        server.socket = listener
        self._servers.append(server)
        threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True).start()
        return int(server.server_address[1])

    def close(self) -> None:
        self.closing.set()
        for server in self._servers:
            server.shutdown()
            server.server_close()
        self._servers.clear()
