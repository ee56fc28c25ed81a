"""TLS without a proxy: `tls.certificate` and `tls.private_key`."""

import re
import shutil
import socket
import ssl
import subprocess
import time
import urllib.request

import pytest

from support import wire
from support.command import linden
from support.host import CERTIFICATE
from support.secure import HOST, SecureServer
from support.server import free_port, running
from support.visitors import desktop, iphone
from support.waiting import eventually

@pytest.fixture
def server(tmp_path):
    with running(SecureServer(tmp_path)) as server:
        yield server


def test_links_are_created_and_visited_over_tls(server):
    app = server.create_app("Orchard", "--default-url", "https://orchard.example.com/", "--ios-uri-scheme", "orchard")
    link = app.create_link()
    assert link.startswith(server.base_url + "/")

    visit = server.get(link.removeprefix(server.base_url), desktop().headers)

    assert visit.status == 302 and visit.location.startswith("https://orchard.example.com/")
    phone = server.get(link.removeprefix(server.base_url), iphone().headers)
    assert phone.status == 200 and "Secure" in phone.headers["set-cookie"], "The connection is encrypted."
    # A path of the router's, and an answer of more than one record of TLS.
    assert server.get("/openapi.yaml").text.count("\n") > 1000


def test_requests_follow_each_other_on_one_connection(server):
    with server.connect() as connection:
        assert connection.selected_alpn_protocol() == "http/1.1"
        assert connection.version() == "TLSv1.3"
        for _ in range(3):
            connection.sendall(wire.head("GET", "/healthz", {"Host": HOST}))
            assert wire.read_answer(connection).status == 200


def test_old_versions_of_tls_are_refused(server):
    with pytest.raises((ssl.SSLError, OSError)):
        server.connect(versions=(ssl.TLSVersion.TLSv1, ssl.TLSVersion.TLSv1_1))
    with server.connect(versions=(ssl.TLSVersion.TLSv1_2, ssl.TLSVersion.TLSv1_2)) as connection:
        assert connection.version() == "TLSv1.2"


def test_what_is_not_tls_ends_its_connection_alone(server):
    with wire.connect(server.port) as plain:
        plain.sendall(wire.head("GET", "/healthz", {"Host": HOST}))
        plain.settimeout(wire.PATIENCE)
        assert not plain.recv(100).startswith(b"HTTP/1.1 200")

    assert server.get("/healthz").status == 200


def test_a_new_certificate_is_used_without_a_restart_and_a_wrong_one_is_not(server, tmp_path):
    renewed = tmp_path / "renewed.pem"
    make_certificate(renewed)
    with server.connect() as open_connection:
        shutil.copy(renewed, tmp_path / "next.pem")
        (tmp_path / "next.pem").rename(server.certificate)
        eventually(lambda: presented(server) == ssl.PEM_cert_to_DER_cert(first_certificate(renewed)))

        server.certificate.write_text("This is no certificate.\n")
        eventually(lambda: "The new TLS certificate cannot be used; the old one stays in use." in server.log)
        with server.connect(authority=renewed) as connection:
            connection.sendall(wire.head("GET", "/healthz", {"Host": HOST}))
            assert wire.read_answer(connection).status == 200

        open_connection.sendall(wire.head("GET", "/healthz", {"Host": HOST}))
        assert wire.read_answer(open_connection).status == 200, "An open connection keeps its certificate."
    assert "The TLS certificate was read again." in server.log
    assert server.log.count("The TLS certificate expires soon.") == 0, "It was good at the start."
    server.certificate.write_text(renewed.read_text())


def test_a_certificate_that_expires_soon_is_warned_of(tmp_path):
    server = SecureServer(tmp_path)
    make_certificate(server.certificate, days=5)
    with running(server):
        eventually(lambda: "The TLS certificate expires soon." in server.log)


@pytest.mark.parametrize("settings, complaint", [
    ({"LINDEN_TLS_CERTIFICATE": "{own}"}, 'The setting tls.certificate is "{own}" but needs tls.private_key'),
    ({"LINDEN_TLS_PRIVATE_KEY": "{own}"}, 'The setting tls.private_key is "{own}" but needs tls.certificate'),
    ({"LINDEN_TLS_CERTIFICATE": "none.pem", "LINDEN_TLS_PRIVATE_KEY": "{own}"}, 'The setting tls.certificate is "none.pem" but must be a file'),
    ({"LINDEN_TLS_CERTIFICATE": "{own}", "LINDEN_TLS_PRIVATE_KEY": "none.pem"}, 'The setting tls.private_key is "none.pem" but must be a file'),
    ({"LINDEN_TLS_CERTIFICATE": "{own}", "LINDEN_TLS_PRIVATE_KEY": "{other}"}, "but must be the key of the certificate in tls.certificate"),
    ({"LINDEN_TLS_CERTIFICATE": "{own}", "LINDEN_TLS_PRIVATE_KEY": "{own}", "LINDEN_HTTP_BASE_URL": "http://go.example.com"},
     'The setting http.base_url is "http://go.example.com" but must begin with https://'),
])
def test_a_wrong_setting_is_named(tmp_path, settings, complaint):
    files = {"own": str(CERTIFICATE), "other": str(tmp_path / "other.pem")}
    make_certificate(tmp_path / "other.pem")

    done = linden("serve", "--port", "0", "--database", f"sqlite:{tmp_path}/linden.db",
                  settings={name: value.format(**files) for name, value in settings.items()})

    assert done.status == 1
    assert complaint.format(**files) in done.complaint


# MARK: Certificates

def make_certificate(path, days=400):
    """Writes a certificate that signs itself, and its key, to one file."""
    key = path.with_suffix(".key")
    subprocess.run(
        ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", str(days), "-subj",
         f"/CN={HOST}", "-addext", f"subjectAltName=DNS:{HOST}", "-keyout", key, "-out", path], check=True, capture_output=True)
    path.write_text(path.read_text() + key.read_text())


def first_certificate(path):
    end = "-----END CERTIFICATE-----\n"
    text = path.read_text()
    return text[text.index("-----BEGIN CERTIFICATE-----"):text.index(end) + len(end)]


def presented(server):
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
    with context.wrap_socket(socket.create_connection(("127.0.0.1", server.port), timeout=wire.PATIENCE)) as connection:
        return connection.getpeercert(binary_form=True)


HANDSHAKE_BEGINNING = bytes.fromhex("16030102000100") + b"\0" * 50


def closed_after(connection):
    """The seconds until the server closes a connection, of which it may send the end of the encryption first."""
    begun = time.monotonic()
    try:
        while connection.recv(4096):
            pass
    except ConnectionResetError:
        pass
    return time.monotonic() - begun


def test_a_handshake_has_as_long_as_the_headers_of_a_request(tmp_path):
    server = SecureServer(tmp_path)
    server.settings |= {"LINDEN_HTTP_HEADER_TIMEOUT": "1"}
    with running(server), socket.create_connection(("127.0.0.1", server.port), timeout=wire.PATIENCE) as connection:
        connection.sendall(HANDSHAKE_BEGINNING)
        assert 0.5 < closed_after(connection) < 4
        assert server.get("/healthz").status == 200


def test_a_client_that_does_not_answer_the_end_of_the_encryption_keeps_no_connection(tmp_path):
    server = SecureServer(tmp_path)
    server.settings |= {"LINDEN_HTTP_HEADER_TIMEOUT": "1"}
    with running(server), server.connect() as connection:
        connection.sendall(b"GET /")
        # What arrives is not decrypted, and so not answered.
        with socket.fromfd(connection.fileno(), socket.AF_INET, socket.SOCK_STREAM) as raw:
            raw.settimeout(wire.PATIENCE)
            assert closed_after(raw) < 3.5


def test_an_address_may_begin_some_handshakes_a_minute(tmp_path):
    server = SecureServer(tmp_path)
    server.settings |= {
        "LINDEN_HTTP_TRUSTED_PROXIES": "10.0.0.0/8", "LINDEN_LIMITS_EXEMPT_NETWORKS": "none", "LINDEN_LIMITS_HANDSHAKE_ADDRESS": "60/min"}
    with running(server), server.connect() as kept:
        refused = 0
        for _ in range(70):
            try:
                server.connect().close()
            except (ssl.SSLError, OSError):
                refused += 1
        assert 5 < refused < 70
        kept.sendall(wire.request(server.port, "GET", "/healthz"))
        assert wire.read_answer(kept, "GET").status == 200, "Open connections go on."


def test_metrics_say_when_the_certificate_expires(tmp_path):
    server, port = SecureServer(tmp_path), free_port()
    server.settings |= {"LINDEN_HTTP_ADMIN_ADDRESS": f"127.0.0.1:{port}"}
    with running(server), urllib.request.urlopen(f"http://127.0.0.1:{port}/metrics", timeout=wire.PATIENCE) as answer:
        metrics = answer.read().decode()
    expiry = float(re.search(r"^linden_tls_certificate_expiry_timestamp_seconds (\S+)$", metrics, re.MULTILINE)[1])
    end = subprocess.run(["openssl", "x509", "-noout", "-enddate", "-in", CERTIFICATE], check=True, capture_output=True, text=True).stdout
    assert expiry == ssl.cert_time_to_seconds(end.strip().removeprefix("notAfter="))
    assert re.search(r"^linden_leader 1$", metrics, re.MULTILINE)
