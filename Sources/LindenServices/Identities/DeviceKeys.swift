import LindenKernel

/// The hardware and advertising ids of a person's devices, of which there may be many with long ids: eight bytes for each, by its hash, which no
/// client can predict. Two that differ in case are the same.
struct DeviceKeys: Sendable {
    private var hashes = SortedIDs<DeviceKeys>()

    mutating func insert(_ key: String) { hashes.insert(Self.hash(key)) }

    func contains(_ key: String) -> Bool { hashes.contains(Self.hash(key)) }

    private static func hash(_ key: String) -> Identifier<DeviceKeys> {
        Identifier(rawValue: Int64(BytewiseText(key.lowercased()).hashValue))
    }
}
