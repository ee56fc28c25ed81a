import Foundation
import NIOCore
import NIOPosix
import Testing

@testable import Connections

/// Handshakes of TLS that begin together on one event loop.
@Suite struct TLSStartTests {
    private let loop = ConnectionLoops.group.next()

    @Test func twoHandshakesBeginInARoundAndOthersInLaterOnesInWhichTheSitesTakeTurns() async throws {
        let connections = try await connections(ofSites: [1, 1, 1, 1, 1, 2])
        let begun = try await loop.submit {
            for connection in connections.value { connection.send("hello") }
            return connections.value.map(\.isBegun)
        }.get()
        #expect(begun == [true, true, false, false, false, false])
        try await untilBegun([0, 1, 2, 3, 4, 5], of: connections)
        let places = try await loop.submit { connections.value.compactMap(\.place) }.get()
        #expect(places == [0, 1, 2, 4, 5, 3], "The second site is behind one connection of the first.")
    }

    @Test func whatAClientSendsWhileItWaitsIsPartOfItsHandshake() async throws {
        let connections = try await connections(ofSites: [1, 1, 1])
        try await loop.submit {
            for connection in connections.value { connection.send("hel") }
            for connection in connections.value { connection.send("lo") }
        }.get()
        try await untilBegun([0, 1, 2], of: connections)
        #expect(try await loop.submit { connections.value.map(\.received) }.get() == ["hello", "hello", "hello"])
    }

    @Test func aClientThatSendsMuchBeforeItIsAnsweredIsClosed() async throws {
        let connections = try await connections(ofSites: [1, 1, 1, 1])
        try await loop.submit {
            for connection in connections.value { connection.send(String(repeating: "a", count: 20 << 10)) }
            connections.value[2].send(String(repeating: "a", count: 20 << 10))
        }.get()
        try await untilBegun([0, 1, 3], of: connections)
        let (isOpen, isBegun) = try await loop.submit {
            (connections.value.map(\.channel.isActive), connections.value[2].isBegun)
        }.get()
        #expect(isOpen == [true, true, false, true])
        #expect(!isBegun)
    }

    @Test func aClientThatMayNotBeginIsClosed() async throws {
        let connections = try await connections(ofSites: [1], admits: false)
        try await loop.submit { connections.value[0].send("hello") }.get()
        #expect(try await loop.submit { connections.value.map { $0.channel.isActive || $0.isBegun } }.get() == [false])
    }

    /// Returns connections that have sent nothing yet.
    private func connections(ofSites sites: [UInt64], admits: Bool = true) async throws -> NIOLoopBound<[Connection]> {
        let order = try await loop.submit { [loop] in NIOLoopBound(Order(), eventLoop: loop) }.get()
        var connections: [NIOLoopBound<Connection>] = []
        for site in sites {
            let pipe = Pipe()
            let channel = try await NIOPipeBootstrap(group: loop)
                .takingOwnershipOfDescriptor(input: dup(pipe.fileHandleForReading.fileDescriptor)).get()
            connections.append(
                try await loop.submit { [loop] in
                    let connection = Connection(channel, pipe, order.value)
                    let start = TLSStart(
                        timeout: .seconds(60), site: site, admits: { admits }, makeHandler: { Handshake(connection) })
                    try channel.pipeline.syncOperations.addHandler(start)
                    return NIOLoopBound(connection, eventLoop: loop)
                }.get())
        }
        return try await loop.submit { [connections, loop] in
            NIOLoopBound(connections.map(\.value), eventLoop: loop)
        }.get()
    }

    private func untilBegun(_ indices: [Int], of connections: NIOLoopBound<[Connection]>) async throws {
        for _ in 0..<1000 {
            let isBegun = try await loop.submit { indices.allSatisfy { connections.value[$0].isBegun } }.get()
            if isBegun { return }
            try await Task.sleep(for: .milliseconds(5))
        }
        Issue.record("Handshakes do not begin.")
    }
}

/// The number of handshakes that have begun.
private final class Order {
    var begun = 0
}

private final class Connection {
    let channel: any Channel
    /// The number of handshakes that began before this one; nil before it begins.
    private(set) var place: Int?
    /// What the handshake has received.
    fileprivate(set) var received = ""
    /// Kept, since the channel closes with it.
    private let pipe: Pipe
    private let order: Order

    var isBegun: Bool { place != nil }

    init(_ channel: any Channel, _ pipe: Pipe, _ order: Order) {
        self.channel = channel
        self.pipe = pipe
        self.order = order
    }

    func send(_ text: String) {
        channel.pipeline.fireChannelRead(ByteBuffer(string: text))
    }

    fileprivate func begin() {
        place = order.begun
        order.begun += 1
    }
}

/// Stands for the handler of TLS.
private final class Handshake: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer

    private let connection: Connection

    init(_ connection: Connection) {
        self.connection = connection
    }

    func handlerAdded(context: ChannelHandlerContext) { connection.begin() }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) { connection.received += String(buffer: unwrapInboundIn(data)) }
}
