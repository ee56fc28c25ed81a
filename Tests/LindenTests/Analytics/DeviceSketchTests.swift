import LindenKernel
import LindenReporting
import Testing

@Suite struct DeviceSketchTests {
    private let hash = DeviceHash(InstallationKey(high: 1, low: 2))

    private func sketch(_ devices: some Sequence<Int64>) -> DeviceSketch {
        var sketch = DeviceSketch()
        for device in devices { sketch.insert(hash(device)) }
        return sketch
    }

    @Test func fewDevicesAreCountedExactly() {
        let devices = sketch((0..<5000).map { Int64($0 % 1000) << 22 })
        #expect(devices.isExact && devices.estimate == 1000)
    }

    @Test(arguments: [2000, 50_000, 1_000_000] as [Int64])
    func manyAreEstimatedWithinATenth(count: Int64) {
        let devices = sketch((0..<count).lazy.map { $0 << 22 })
        #expect(!devices.isExact)
        #expect(abs(devices.estimate - count) < count / 10)
    }

    @Test func daysTogetherCountEachDeviceOnce() {
        var monday = sketch(0..<3000)
        let tuesday = sketch(1500..<4500)
        monday.merge(tuesday)
        #expect(monday == sketch(0..<4500))
        #expect(DeviceSketch(bytes: monday.bytes) == monday)
    }

    @Test func whatASketchHoldsIsAnothersInEachInstallation() {
        let other = DeviceHash(InstallationKey(high: 1, low: 3))
        #expect((0..<1000).allSatisfy { hash($0) != other($0) })
        #expect((0..<1000).allSatisfy { hash($0) == DeviceHash(InstallationKey(high: 1, low: 2))($0) })
    }
}
