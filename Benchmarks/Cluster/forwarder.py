"""A forwarder of TCP between a node and PostgreSQL, which can be made to drop: nothing passes, and neither side is informed."""

import asyncio
import threading


class Forwarder:
    """Listens on one address and connects from it, so that PostgreSQL shows by the client's address whose connection it is.

    Connections are refused while the target refuses them: libpq goes on to the next host of its list only if a connection is
    refused, and not if it is accepted and closed."""

    def __init__(self, address, target, port):
        self.address, self.target, self.port = address, target, port
        self._passes = self._server = None

    async def listen(self):
        self._passes = asyncio.Event()
        self._passes.set()
        self._server = await asyncio.start_server(self._accept, self.address, self.port)

    def drop(self):
        self._passes.clear()

    def restore(self):
        self._passes.set()

    async def _accept(self, reader, writer):
        await self._passes.wait()
        try:
            far_reader, far_writer = await self._connect()
        except OSError:
            writer.transport.abort()
            await self._refuse()
            return
        await asyncio.gather(self._copy(reader, far_writer), self._copy(far_reader, writer))
        # A node that ends a connection must be able to open another.
        if not await self._answers():
            await self._refuse()

    async def _answers(self):
        try:
            (await self._connect())[1].close()
            return True
        except OSError:
            return False

    async def _connect(self):
        return await asyncio.open_connection(self.target, self.port, local_addr=(self.address, 0))

    async def _refuse(self):
        """Does not listen until the target does."""
        if self._server is None:
            return
        self._server.close()
        self._server = None
        while True:
            await self._passes.wait()
            if await self._answers():
                break
            await asyncio.sleep(0.1)
        self._server = await asyncio.start_server(self._accept, self.address, self.port)

    async def _copy(self, reader, writer):
        try:
            while chunk := await reader.read(65536):
                # What has been read is passed on after the interruption, as TCP sends it again.
                await self._passes.wait()
                writer.write(chunk)
                await writer.drain()
            await self._passes.wait()
        except OSError:
            pass
        finally:
            writer.close()


class Forwarders:
    """The forwarders of all nodes, in a thread of their own."""

    def __init__(self, layout, nodes, members, port=5432):
        self._by_node = {
            node: [Forwarder(layout.forwarder(node, member), layout.machine(member), port) for member in members] for node in nodes}
        self._loop = asyncio.new_event_loop()
        threading.Thread(target=self._loop.run_forever, daemon=True).start()
        for forwarder in self._all:
            asyncio.run_coroutine_threadsafe(forwarder.listen(), self._loop).result(timeout=5)

    @property
    def _all(self):
        return [forwarder for forwarders in self._by_node.values() for forwarder in forwarders]

    def cut_off(self, node):
        for forwarder in self._by_node[node]:
            self._loop.call_soon_threadsafe(forwarder.drop)

    def reconnect(self, node):
        for forwarder in self._by_node[node]:
            self._loop.call_soon_threadsafe(forwarder.restore)

    def close(self):
        self._loop.call_soon_threadsafe(self._loop.stop)
