"""Starting and stopping a server."""

from __future__ import annotations

import ipaddress
import logging
import math
import signal
import socket
import sys
import threading
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from dragoman.errors import FileError, MissingExtraError, UsageError
from dragoman.server.limits import Limits


@dataclass(frozen=True)
class Address:
    """Where to listen."""

    host: str = "127.0.0.1"
    port: int = 8000
    everybody: bool = False  # also other hosts, without a key

    @property
    def is_loopback(self) -> bool:
        """Whether only this machine can reach it."""
        if self.host == "localhost":
            return True
        try:
            return ipaddress.ip_address(self.host).is_loopback
        except ValueError:
            return False


def run(
    models: Sequence[Path],
    address: Address,
    *,
    limits: Limits | None = None,
    api_key: str | None = None,
    threads: int = 1,
    quiet: bool = False,
) -> None:
    """Serve until a signal comes; then finish every request that was accepted."""
    try:
        import uvicorn

        from dragoman.server.api import LOOPBACK, Settings
        from dragoman.server.app import create_app, open_models
        from dragoman.server.log import Log, Relay
        from dragoman.server.protocol import timed_protocol
    except ImportError as problem:
        raise MissingExtraError("dragoman serve", "serve") from problem
    if api_key is not None and not api_key.strip():
        raise UsageError("the API key is empty")
    if not address.is_loopback and api_key is None and not address.everybody:
        raise UsageError(
            f"--host {address.host} lets other machines in: give --api-key, or --open to serve "
            "everybody"
        )
    settings = Settings(
        limits=limits or Limits(),
        api_key=api_key,
        hosts=LOOPBACK | {address.host} if address.is_loopback else None,
        log=Log(quiet=quiet),
    )
    listening = _listen(address)
    app = create_app(open_models(models, threads=threads, settings=settings), settings)
    name, port = listening.getsockname()[:2]
    shown = f"[{name}]" if ":" in name else name
    print(f"Dragoman serves at http://{shown}:{port}  (Ctrl-C stops)", file=sys.stderr, flush=True)
    config = uvicorn.Config(
        app,
        log_config=None,
        access_log=False,
        server_header=False,
        http=timed_protocol(settings.limits.sending),
        limit_concurrency=settings.limits.connections,
        timeout_keep_alive=30,
        # What was accepted is finished, and takes no longer than a request may.
        timeout_graceful_shutdown=math.ceil(settings.limits.seconds) + 1,
    )
    uvicorn_log = logging.getLogger("uvicorn")
    uvicorn_log.addHandler(Relay(settings.log))
    uvicorn_log.propagate = False

    # Models are opened anew without stopping.
    def reload(*_: object) -> None:
        threading.Thread(target=app.state.reload, daemon=True).start()

    signal.signal(signal.SIGHUP, reload)
    # Uvicorn raises the signal again when all is answered; to be told to stop is no failure.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))
    uvicorn.Server(config).run(sockets=[listening])


def _listen(address: Address) -> socket.socket:
    """A socket before models are opened: who cannot have the port should hear of it at once."""
    try:
        family = socket.getaddrinfo(address.host, address.port, type=socket.SOCK_STREAM)[0][0]
        listening = socket.socket(family, socket.SOCK_STREAM)
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listening.bind((address.host, address.port))
        listening.listen(2048)
        listening.setblocking(False)
    except OSError as problem:
        raise FileError(f"cannot listen at {address.host}:{address.port}: {problem}") from problem
    return listening
