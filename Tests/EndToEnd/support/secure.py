"""A server that speaks TLS without a proxy: `tls.certificate` and `tls.private_key`."""

import shutil
import socket
import ssl

from . import wire
from .host import CERTIFICATE
from .server import Server

HOST = "go.orchard.example"


class SecureServer(Server):
    """A server whose connections are encrypted, with a certificate of its own."""

    def __init__(self, folder):
        self.certificate = folder / "certificate.pem"
        shutil.copy(CERTIFICATE, self.certificate)
        super().__init__(folder, {"LINDEN_TLS_CERTIFICATE": str(self.certificate), "LINDEN_TLS_PRIVATE_KEY": str(self.certificate)})
        self.base_url = f"https://127.0.0.1:{self.port}"

    def connect(self, authority=None, versions=None, source=None):
        """Opens a connection, from the address `source` if there is one."""
        context = ssl.create_default_context(cafile=authority or self.certificate)
        if versions:
            context.minimum_version, context.maximum_version = versions
        context.set_alpn_protocols(["h2", "http/1.1"])
        connection = socket.create_connection(
            ("127.0.0.1", self.port), timeout=wire.PATIENCE, source_address=(source, 0) if source else None)
        return context.wrap_socket(connection, server_hostname=HOST)

    def send(self, method, target, body=b"", headers=None):
        with self.connect() as connection:
            connection.sendall(wire.request(self.port, method, target, body, headers))
            return wire.read_answer(connection, method)
