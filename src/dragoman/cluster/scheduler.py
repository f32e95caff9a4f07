"""Is there a Dask scheduler where the user says?

Dask's client waits without end for what answers and is no scheduler, such as its dashboard, so
whoever answers is looked at before: a scheduler speaks first, and how it begins is known.
"""

from __future__ import annotations

import socket
import ssl
import time

from dragoman.cluster.address import Address
from dragoman.errors import ClusterError

_BEGINNING = 8  # bytes that hold the length of its first message


def require_scheduler(address: Address, seconds: float) -> None:
    """A scheduler must answer within so many seconds."""
    from distributed.comm.addressing import get_address_host_port, parse_address
    from distributed.comm.registry import get_backend

    deadline = time.monotonic() + seconds
    try:
        scheme, _ = parse_address(address.url)
        get_backend(scheme)
        if scheme not in ("tcp", "tls"):
            return
        host, port = get_address_host_port(address.url, strict=True)
        with _connected(host, port, deadline) as plain:
            if scheme == "tcp":
                beginning = _read(plain, deadline)
            else:
                with _secured(address, plain, host) as secure:
                    beginning = _read(secure, deadline)
    except ssl.SSLError as problem:
        raise _insecure(address, problem.reason or str(problem)) from problem
    except (OSError, ValueError) as problem:
        raise ClusterError(
            f"{address}: no Dask scheduler answers there ({problem}); is it running, and can it "
            "be reached?"
        ) from problem
    if len(beginning) < _BEGINNING or any(beginning[4:]):
        other = "tls" if scheme == "tcp" else "tcp"
        raise ClusterError(
            f"{address}: what answers there is no Dask scheduler; its port is usually 8786, that "
            f"of its dashboard 8787, and it may want {other}://"
        )


def _connected(host: str, port: int, deadline: float) -> socket.socket:
    """A connection; whoever is just being started is waited for."""
    while True:
        try:
            return socket.create_connection((host, port), _left(deadline))
        except ConnectionRefusedError:
            if _left(deadline) < 1:
                raise
            time.sleep(0.2)


def _secured(address: Address, plain: socket.socket, host: str) -> ssl.SSLSocket:
    from distributed.security import Security

    context = Security().get_connection_args("client").get("ssl_context")
    if context is None:
        raise _insecure(address, "no certificates are configured")
    found: ssl.SSLSocket = context.wrap_socket(plain, server_hostname=host)
    return found


def _read(connection: socket.socket, deadline: float) -> bytes:
    """How a message begins; empty when there is none in time."""
    found = b""
    try:
        while len(found) < _BEGINNING:
            connection.settimeout(_left(deadline))
            piece = connection.recv(_BEGINNING - len(found))
            if not piece:
                break
            found += piece
    except (TimeoutError, ConnectionResetError):
        return b""
    return found


def _left(deadline: float) -> float:
    return max(0.1, deadline - time.monotonic())


def _insecure(address: Address, problem: str) -> ClusterError:
    return ClusterError(
        f"{address}: no secure connection ({problem}); say where certificates are as Dask wants "
        "it: distributed.comm.tls in its configuration"
    )
