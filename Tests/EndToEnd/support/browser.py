"""A real browser, and a page of another origin for it to show."""

import os
import shutil
import threading
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from selenium import webdriver
from selenium.webdriver.chrome.service import Service

PAGE = b"<!doctype html><meta charset=utf-8><title>Orchard</title><body>A customer's page.</body>"


class Page(BaseHTTPRequestHandler):
    def do_GET(self):
        self.send_response(200)
        self.send_header("Content-Type", "text/html; charset=utf-8")
        self.end_headers()
        self.wfile.write(PAGE)

    def log_message(self, *arguments):
        pass


@contextmanager
def page():
    """Serves a page and yields its URL, whose host is not the server's."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), Page)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield f"http://localhost:{server.server_port}/"
    finally:
        server.shutdown()
        server.server_close()


def dress(driver, visitor, width=1200, height=900, is_phone=False, is_dark=False, language="en"):
    """Gives a browser the identity of a visitor. By default its user agent says that it is headless, which is a robot's."""
    driver.execute_cdp_cmd("Network.setUserAgentOverride", {"userAgent": visitor.user_agent, "acceptLanguage": language})
    driver.execute_cdp_cmd(
        "Emulation.setDeviceMetricsOverride",
        {"width": width, "height": height, "screenWidth": width, "screenHeight": height, "deviceScaleFactor": 2 if is_phone else 1, "mobile": is_phone})
    scheme = {"name": "prefers-color-scheme", "value": "dark" if is_dark else "light"}
    driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": [scheme]})


def heading(driver):
    """The heading of the page; nothing while one is loading."""
    return driver.execute_script("return document.querySelector('h1')?.innerText ?? ''")


def main_text(driver):
    """The text of the page without its navigation; nothing while one is loading."""
    return driver.execute_script("return document.querySelector('main')?.innerText ?? ''")


@contextmanager
def chromium():
    options = webdriver.ChromeOptions()
    options.binary_location = shutil.which("chromium") or shutil.which("google-chrome")
    for argument in ["--headless=new", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run",
                     "--window-size=2000,1200"]:
        options.add_argument(argument)
    if os.geteuid() == 0:
        options.add_argument("--no-sandbox")
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    driver = webdriver.Chrome(options=options, service=Service(shutil.which("chromedriver")))
    driver.set_script_timeout(30)
    try:
        yield driver
    finally:
        driver.quit()
