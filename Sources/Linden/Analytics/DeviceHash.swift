/// Makes of a device's number what sketches hold: 64 evenly spread bits that lead back to no device without the installation's key.
package struct DeviceHash: Sendable {
    private let hash: SipHash

    package init(_ key: InstallationKey) {
        // Not the keys of what is shown, see PublicIDs.
        hash = SipHash(key0: key.high, key1: ~key.low)
    }

    package func callAsFunction(_ id: Int64) -> UInt64 { hash(UInt64(bitPattern: id)) }
}

extension InstallationReader {
    /// Fails with `unavailable` before the installation has its key.
    func deviceHash() throws -> DeviceHash { DeviceHash(try knownInstallationKey()) }

    /// Fails with `unavailable` before the installation has its key.
    func knownInstallationKey() throws -> InstallationKey {
        guard let key = try installationKey() else { throw Failure.unavailable("The installation has no key yet.") }
        return key
    }
}
