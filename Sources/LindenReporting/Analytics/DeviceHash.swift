import Linden
import LindenKernel

/// A keyed hash (SipHash) of device ids for sketches: 64 evenly distributed bits, which cannot be traced to a device without the
/// installation's key.
package struct DeviceHash: Sendable {
    private let hash: SipHash

    package init(_ key: InstallationKey) {
        // The keys differ from those of ``PublicIDs``, whose results are shown to clients.
        hash = SipHash(key0: key.high, key1: ~key.low)
    }

    package func callAsFunction(_ id: Int64) -> UInt64 { hash(UInt64(bitPattern: id)) }
}

extension InstallationReader {
    /// Returns the hash of this installation. Fails with `unavailable` before the installation has its key.
    func deviceHash() throws -> DeviceHash { DeviceHash(try knownInstallationKey()) }

    /// Returns the installation's key. Fails with `unavailable` before the installation has one.
    func knownInstallationKey() throws -> InstallationKey {
        guard let key = try installationKey() else { throw Failure.unavailable("The installation has no key yet.") }
        return key
    }
}
