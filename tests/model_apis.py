"""A stand-in for the APIs of models on loopback: gives scripted replies, and keeps what it was asked.

It speaks the dialect that the path of a request asks for: Messages (Claude Code), Responses (Codex), chat completions
(opencode, aider, llm) or generateContent (Gemini). Each call of a model takes the next reply of the script, and the last
one is given again and again. Whatever else a client asks for on the way (is anybody there, how many tokens, which
models, a title for the session from the model `ASIDE`, what Gemini wants to know at once) is answered and takes no reply.
"""

from __future__ import annotations

import json
import re
import socket
import threading
from collections.abc import Iterator, Mapping, Sequence
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Callable, NamedTuple, Optional

Json = dict[str, Any]

HOST = "127.0.0.1"
KEYS = ("x-api-key", "authorization", "x-goog-api-key")
ASIDE = "aside"
TOKENS_IN, TOKENS_OUT = 10, 5
USAGE = {"input_tokens": TOKENS_IN, "cache_creation_input_tokens": 0, "cache_read_input_tokens": 0, "output_tokens": TOKENS_OUT}


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


def fails(status: int, kind: str, message: str, headers: Optional[Mapping[str, str]] = None, **more: Any) -> Reply:
    return Reply(status=status, error={"type": kind, "message": message, **more}, headers=headers or {})


class Request(NamedTuple):
    method: str
    path: str
    headers: Mapping[str, str]
    body: Json

    @property
    def dialect(self) -> Optional[Dialect]:
        """How a model is spoken to on this path; None for whatever is no call of a model."""
        path = self.path.partition("?")[0]
        spoken = (dialect for dialect in DIALECTS if re.fullmatch(dialect.path, path))
        return next(spoken, None) if self.method == "POST" else None

    @property
    def is_message(self) -> bool:
        return self.dialect is not None and self.model != ASIDE

    @property
    def model(self) -> str:
        named = re.search(r"/models/([^:/]+):", self.path)
        return named[1] if named else str(self.body.get("model", "none"))

    @property
    def is_stream(self) -> bool:
        return bool(self.body.get("stream")) or ":stream" in self.path

    @property
    def tools(self) -> set[str]:
        """The names of the tools that the model may use."""
        listed = [one for tool in self.body.get("tools", ()) for one in tool.get("functionDeclarations", [tool])]
        return {(tool.get("function") or tool).get("name", "") for tool in listed}


class Dialect(NamedTuple):
    """How an API says things: where it is asked, a whole answer, the same as a stream, an error."""

    path: str
    whole: Callable[[Sequence[Json], str, int], Json]
    stream: Callable[[Json], str]
    error: Callable[[Reply], Json]


def server_sent(events: Iterator[Json]) -> str:
    return "".join(f"event: {event['type']}\ndata: {json.dumps(event)}\n\n" for event in events)


def numbered(blocks: Sequence[Json], number: int) -> list[Json]:
    """Each use of a tool has an id that no other has."""
    return [
        {"id": f"toolu_{number:04}_{place}", **block} if block["type"] == "tool_use" else block
        for place, block in enumerate(blocks)
    ]


# --- Messages ---------------------------------------------------------------------------------


def message(blocks: Sequence[Json], model: str, number: int) -> Json:
    content = numbered(blocks, number)
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


def message_events(whole: Json) -> Iterator[Json]:
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


def message_error(reply: Reply) -> Json:
    return {"type": "error", "error": reply.error, "request_id": "req_1"}


# --- Responses --------------------------------------------------------------------------------


def response(blocks: Sequence[Json], model: str, number: int) -> Json:
    return {
        "id": f"resp_{number:04}",
        "object": "response",
        "status": "completed",
        "model": model,
        "output": [response_item(block, f"msg_{number:04}") for block in numbered(blocks, number)],
        "usage": {
            "input_tokens": TOKENS_IN,
            "input_tokens_details": {"cached_tokens": 4},
            "output_tokens": TOKENS_OUT,
            "output_tokens_details": {"reasoning_tokens": 0},
            "total_tokens": TOKENS_IN + TOKENS_OUT,
        },
    }


def response_item(block: Json, name: str) -> Json:
    if block["type"] == "text":
        content = [{"type": "output_text", "text": block["text"], "annotations": []}]
        return {"type": "message", "id": name, "role": "assistant", "status": "completed", "content": content}
    arguments = json.dumps(block["input"])
    return {"type": "function_call", "id": block["id"], "call_id": block["id"], "name": block["name"], "arguments": arguments}


def response_events(whole: Json) -> Iterator[Json]:
    yield {"type": "response.created", "response": {**whole, "status": "in_progress", "output": [], "usage": None}}
    for index, item in enumerate(whole["output"]):
        yield {"type": "response.output_item.added", "output_index": index, "item": item}
        yield {"type": "response.output_item.done", "output_index": index, "item": item}
    yield {"type": "response.completed", "response": whole}


def openai_error(reply: Reply) -> Json:
    error = reply.error or {}
    return {"error": {"param": None, "code": error["type"], **error}}


# --- chat completions -------------------------------------------------------------------------


def completion(blocks: Sequence[Json], model: str, number: int) -> Json:
    parts = numbered(blocks, number)
    calls = [
        {"index": place, "id": part["id"], "type": "function", "function": {"name": part["name"], "arguments": json.dumps(part["input"])}}
        for place, part in enumerate(part for part in parts if part["type"] == "tool_use")
    ]
    said = "".join(part["text"] for part in parts if part["type"] == "text")
    answer = {"role": "assistant", "content": said, **({"tool_calls": calls} if calls else {})}
    return {
        "id": f"chatcmpl-{number:04}",
        "object": "chat.completion",
        "created": 1,
        "model": model,
        "choices": [{"index": 0, "message": answer, "finish_reason": "tool_calls" if calls else "stop"}],
        "usage": {"prompt_tokens": TOKENS_IN, "completion_tokens": TOKENS_OUT, "total_tokens": TOKENS_IN + TOKENS_OUT},
    }


def completion_stream(whole: Json) -> str:
    (choice,) = whole["choices"]
    piece = {**whole, "object": "chat.completion.chunk", "usage": None}
    chunks = [
        {**piece, "choices": [{"index": 0, "delta": choice["message"], "finish_reason": None}]},
        {**piece, "choices": [{"index": 0, "delta": {}, "finish_reason": choice["finish_reason"]}]},
        {**piece, "choices": [], "usage": whole["usage"]},
    ]
    return "".join(f"data: {json.dumps(chunk)}\n\n" for chunk in chunks) + "data: [DONE]\n\n"


# --- generateContent --------------------------------------------------------------------------


def content(blocks: Sequence[Json], model: str, number: int) -> Json:
    parts = [
        {"text": block["text"]} if block["type"] == "text" else {"functionCall": {"name": block["name"], "args": block["input"]}}
        for block in blocks
    ]
    return {
        "responseId": f"resp-{number:04}",
        "modelVersion": model,
        "candidates": [{"index": 0, "content": {"role": "model", "parts": parts}, "finishReason": "STOP"}],
        "usageMetadata": {
            "promptTokenCount": TOKENS_IN,
            "candidatesTokenCount": TOKENS_OUT,
            "totalTokenCount": TOKENS_IN + TOKENS_OUT,
        },
    }


def content_error(reply: Reply) -> Json:
    error = dict(reply.error or {})
    return {"error": {"code": reply.status, "status": error.pop("type"), **error}}


DIALECTS = (
    Dialect("/v1/messages", message, lambda whole: server_sent(message_events(whole)), message_error),
    Dialect("/v1/responses", response, lambda whole: server_sent(response_events(whole)), openai_error),
    Dialect("/v1/chat/completions", completion, completion_stream, openai_error),
    Dialect(".*:streamGenerateContent", content, lambda whole: f"data: {json.dumps(whole)}\n\n", content_error),
)

# --- the server -------------------------------------------------------------------------------


class Handler(BaseHTTPRequestHandler):
    api: ModelApi

    def do_POST(self) -> None:
        request = self.noted()
        if request.is_message:
            self.play(self.api.next_reply(), request)
        elif request.dialect:
            self.answer(says("Aside"), request)
        else:
            self.send(200, {"input_tokens": TOKENS_IN, "totalTokens": TOKENS_IN})

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
        path = re.sub(r"([?&]key=)[^&]*", r"\1", self.path)
        request = Request(self.command, path, headers, as_json(sent))
        self.api.requests.append(request)
        return request

    def play(self, reply: Reply, request: Request) -> None:
        if reply.manner == "hangs":
            self.api.closing.wait()
        elif reply.manner == "garbage":
            self.send(200, b"\x00\xff<html>welcome to this hotel's wifi</html>", kind="text/html")
        elif reply.error and request.dialect:
            self.send(reply.status, request.dialect.error(reply), headers=reply.headers)
        else:
            self.answer(reply, request)

    def answer(self, reply: Reply, request: Request) -> None:
        assert request.dialect
        is_cut = reply.manner == "cut"
        blocks = reply.blocks or ({"type": "text", "text": "half of a sentence, and then"},) if is_cut else reply.blocks
        whole = request.dialect.whole(blocks, request.model, len(self.api.requests))
        data = (request.dialect.stream(whole) if request.is_stream else json.dumps(whole)).encode()
        kind = "text/event-stream" if request.is_stream else "application/json"
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


def as_json(sent: bytes) -> Json:
    """The body of a request; nothing for one that is no JSON, such as somebody's telemetry."""
    try:
        body = json.loads(sent)
    except ValueError:
        return {}
    return body if isinstance(body, dict) else {}


class Server(ThreadingHTTPServer):
    daemon_threads, block_on_close = True, False

    def handle_error(self, *_: Any) -> None:
        """Clients that are killed in the middle of a request are what we are here for."""


class ModelApi:
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
