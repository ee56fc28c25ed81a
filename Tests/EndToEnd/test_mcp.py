"""The MCP server at `/mcp`, used by the protocol's own public Python client."""

import asyncio
import json
from contextlib import asynccontextmanager

import httpx2
import pytest
from mcp import Client, MCPError
from mcp.client.streamable_http import streamable_http_client
from mcp_types.version import HANDSHAKE_PROTOCOL_VERSIONS, LATEST_HANDSHAKE_VERSION, LATEST_PROTOCOL_VERSION

from support.visitors import android, desktop, iphone

# How the client agrees on a revision, and which one it then has.
MODES = {"legacy": LATEST_HANDSHAKE_VERSION, "auto": LATEST_PROTOCOL_VERSION, LATEST_PROTOCOL_VERSION: LATEST_PROTOCOL_VERSION}


def token(server, role, app=None):
    return server.ask("tokens", "create", role, "--role", role, *(["--app", app.app_id] if app else []))["token"]


@asynccontextmanager
async def connected(server, secret, mode="auto"):
    async with httpx2.AsyncClient(headers={"Authorization": f"Bearer {secret}"}) as http:
        async with Client(streamable_http_client(f"{server.base_url}/mcp", http_client=http), mode=mode) as client:
            yield client


def conversation(server, secret, talk, mode="auto"):
    """Runs `talk` with a connected client."""
    async def run():
        async with connected(server, secret, mode) as client:
            return await talk(client)
    return asyncio.run(run())


async def call(client, tool, **arguments):
    """The answer of a tool, which its text says, too."""
    result = await client.call_tool(tool, arguments)
    assert not result.is_error, result.content
    assert json.loads(result.content[0].text) == result.structured_content
    return result.structured_content


@pytest.mark.parametrize("mode", MODES)
def test_a_model_creates_a_link_and_explains_the_install_after_it(app, mode):
    server, phone = app.server, iphone()

    async def create(client):
        assert client.protocol_version == MODES[mode]
        tools = {tool.name: tool for tool in (await client.list_tools()).tools}
        assert tools["create_link"].annotations.read_only_hint is False and tools["explain_session"].annotations.read_only_hint is True
        assert [listed["app_id"] for listed in (await call(client, "list_apps"))["apps"]] == [app.app_id]
        link = await call(
            client, "create_link", app=app.app_id, channel="mail", tags=["red"], data={"$deeplink_path": "pears/1", "variety": "Cox"})
        preview = await call(client, "preview_link", link=link["url"], **{"as": "iphone"})
        return link, preview

    async def explain(client):
        [session] = (await call(client, "list_sessions", app=app.app_id))["sessions"]
        explanation = await call(client, "explain_session", session_id=session["session_id"])
        statistics = await call(client, "link_statistics", link_id=link["id"])
        counts = await call(client, "count_events", app=app.app_id, by=["channel"], granularity="all")
        diagnosis = await call(client, "run_doctor", app=app.app_id)
        return session, explanation, statistics, counts, diagnosis

    link, preview = conversation(server, token(server, "admin", app), create, mode)
    assert link["data"]["variety"] == "Cox" and link["channel"] == "mail"
    assert [visitor["app"].split("?")[0] for visitor in preview["visitors"]] == ["orchard://pears/1"]
    assert app.statistics(link["url"])["clicks"] == 0

    app.click(link["url"], phone)
    assert app.install(phone).data["variety"] == "Cox"

    session, explanation, statistics, counts, diagnosis = conversation(server, token(server, "analyst", app), explain, mode)
    assert (session["kind"], session["outcome"], session["matcher"]) == ("install", "matched", "fingerprint")
    assert explanation["link"] == link["url"] and explanation == server.ask("explain", session["session_id"])
    assert statistics == app.statistics(link["url"]) and statistics["installs"] == 1
    assert [(row["channel"], row["total_count"]) for row in counts["results"]] == [("mail", 1)]
    assert diagnosis["app_id"] == app.app_id and diagnosis["ok"] is True
    assert "attribution.installs" in [check["check"] for check in diagnosis["checks"]]


def test_a_model_narrows_a_list_of_sessions(app):
    mail, sms = app.create_link(channel="mail"), app.create_link(channel="sms")
    phone, other = iphone(), android()
    app.click(mail, phone)
    app.install(phone)
    app.open(other, universal_link_url=sms)
    app.install(android(), branch_key=app.test_branch_key)
    ids = {url: app.read(url)["data"]["~id"] for url in (mail, sms)}

    async def talk(client):
        async def kinds(**conditions):
            listed = (await call(client, "list_sessions", **({"app": app.app_id} | conditions)))["sessions"]
            return [session["kind"] for session in listed]

        tools = {tool.name: tool for tool in (await client.list_tools()).tools}
        arguments = set(tools["list_sessions"].input_schema["properties"])
        lists = [
            await kinds(), await kinds(kind="install"), await kinds(link=ids[mail]), await kinds(channel="sms"),
            await kinds(outcome="organic"), await kinds(platform="ios"), await kinds(app=app.test_branch_key),
            await kinds(to="yesterday"), await kinds(limit=1)]
        wrong = [{"kind": "nap"}, {"link": "pears"}]
        refused = [await client.call_tool("list_sessions", {"app": app.app_id} | argument) for argument in wrong]
        return arguments, lists, refused

    arguments, lists, refused = conversation(app.server, token(app.server, "support", app), talk)

    assert arguments == {"app", "search", "outcome", "kind", "link", "platform", "channel", "from", "to", "cursor", "limit"}
    assert lists[0] == ["open", "install"] or lists[0] == ["install", "install"]
    assert len(lists[1]) >= 1 and set(lists[1]) == {"install"}
    assert lists[2] == ["install"] and len(lists[3]) == 1
    assert lists[4] == [] and lists[5] == ["install"]
    assert lists[6] == ["install"] and lists[7] == [] and len(lists[8]) == 1
    assert all(result.is_error for result in refused)
    assert "kind must be one of install, open" in refused[0].content[0].text
    assert "link must be the id of a link" in refused[1].content[0].text


def test_an_analyst_has_no_tool_that_changes_anything(app):
    async def talk(client):
        tools = (await client.list_tools()).tools
        refused = await client.call_tool("create_link", {"app": app.app_id})
        return tools, refused

    before = app.server.rows()
    secret = token(app.server, "analyst", app)
    tools, refused = conversation(app.server, secret, talk)

    assert len(tools) > 10 and all(tool.annotations.read_only_hint for tool in tools)
    assert refused.is_error and "role admin" in refused.content[0].text
    assert app.server.rows()["links"] == before["links"]


def test_a_token_sees_nothing_of_another_app(server, app):
    other, url = server.create_app("Meadow"), app.create_link(alias="secret-pears")
    app.click(url, desktop())

    async def talk(client):
        apps = await call(client, "list_apps")
        refused = [
            await client.call_tool("list_links", {"app": app.app_id}),
            await client.call_tool("preview_link", {"link": url}),
            await client.call_tool("preview_link", {"link": "secret-pears"}),
            await client.call_tool("read_link", {"link_id": app.read(url)["data"]["~id"]}),
        ]
        return apps, refused

    apps, refused = conversation(server, token(server, "admin", other), talk)

    assert [listed["name"] for listed in apps["apps"]] == ["Meadow"]
    assert all(result.is_error for result in refused)
    assert not any("orchard" in result.content[0].text for result in refused)


def test_a_model_can_correct_a_wrong_argument(app):
    async def talk(client):
        return await client.call_tool("list_links", {"app": app.app_id, "labels": "mail"})

    result = conversation(app.server, token(app.server, "analyst", app), talk)

    assert result.is_error
    assert "labels is not an argument of list_links. Its arguments are app, search, channel" in result.content[0].text


@pytest.mark.parametrize("mode", MODES)
def test_a_revoked_token_ends_the_conversation(app, mode):
    server = app.server
    created = server.ask("tokens", "create", "former", "--role", "admin", "--app", app.app_id)

    async def talk(client):
        await call(client, "list_apps")
        server.ask("tokens", "revoke", created["token_id"], "--yes")
        with pytest.raises(MCPError):
            await client.call_tool("list_apps", {})

    conversation(server, created["token"], talk, mode)


def test_the_server_knows_all_revisions_with_this_transport_that_the_client_knows(server):
    refused = server.post(
        "/mcp", {"jsonrpc": "2.0", "id": 1, "method": "tools/list"},
        {"Authorization": f"Bearer {token(server, 'analyst')}", "MCP-Protocol-Version": "1999-01-01"})

    # The first revision had another transport.
    assert refused.json["error"]["data"]["supported"] == [*HANDSHAKE_PROTOCOL_VERSIONS[1:], LATEST_PROTOCOL_VERSION]
