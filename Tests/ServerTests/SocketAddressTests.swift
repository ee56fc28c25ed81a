import Connections
import LindenKernel
import NIOCore
import Testing

/// The address of a connection's peer, which is not read from its text.
@Suite struct SocketAddressTests {
    @Test(arguments: ["203.0.113.7", "0.10.0.255", "127.0.0.1", "::ffff:203.0.113.7", "::1", "2001:db8:1:2:3:4:5:6", "fe80::1"])
    func theClientOfASocketIsThatOfItsText(text: String) throws {
        let socket = try SocketAddress(ipAddress: text, port: 4711)
        #expect(socket.client != nil)
        #expect(socket.client == ClientAddress(text))
    }

    @Test func aUnixDomainSocketHasNoAddress() throws {
        #expect(try SocketAddress(unixDomainSocketPath: "/client").client == nil)
    }
}
