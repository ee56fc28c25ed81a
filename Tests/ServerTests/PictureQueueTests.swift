import Dispatch
import Linden
import LindenKernel
import Synchronization
import Testing

@testable import Server

/// Which of the QR codes that wait for a thread is drawn first. Serialized, since each test occupies all of the threads.
@Suite(.serialized) struct PictureQueueTests {
    /// Queues an image for each caller while all threads are busy, and returns the indices of the callers in the order in which their images
    /// were drawn by one thread.
    private static func order(of callers: [PictureQueue.Caller]) async -> [Int] {
        let queue = PictureQueue()
        let drawn = Mutex<[Int]>([])
        let (mayGoOn, isBusy, finished) = (DispatchSemaphore(value: 0), DispatchGroup(), DispatchGroup())
        let threads = BackgroundThreads.pictureCount
        for _ in 0..<threads {
            isBusy.enter()
            BackgroundThreads.pictures.submit {
                isBusy.leave()
                mayGoOn.wait()
            }
        }
        await end(of: isBusy)
        for (index, caller) in callers.enumerated() {
            finished.enter()
            queue.submit(for: caller) {
                drawn.withLock { $0.append(index) }
                finished.leave()
            }
        }
        mayGoOn.signal()
        await end(of: finished)
        for _ in 1..<threads { mayGoOn.signal() }
        return drawn.withLock { $0 }
    }

    private static func end(of group: DispatchGroup) async {
        await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
            group.notify(queue: .global()) { continuation.resume() }
        }
    }

    @Test func theCodesOfOneNetworkDoNotDelayThoseOfAnother() async {
        let flood = (0..<20).map { client("203.0.113.\($0)") }
        let order = await Self.order(of: flood + [client("198.51.100.7"), client("2001:db8:2::7")])
        #expect(order.prefix(5) == [0, 20, 21, 1, 2])
        #expect(order.count == 22)
    }

    @Test func theCodesOfOperatorsComeBeforeThoseOfStrangers() async {
        let flood = (0..<20).map { client("198.51.\($0).7") }
        let order = await Self.order(of: flood + [authorized(1), authorized(1), authorized(2)])
        #expect(order.prefix(4) == [20, 22, 21, 0], "one of each app in turn")
    }

    @Test func manyCodesOfOperatorsDoNotKeepOthersWaiting() async {
        let order = await Self.order(of: Array(repeating: authorized(1), count: 20) + [client("203.0.113.7")])
        #expect(order.firstIndex(of: 20) == PictureQueue.mostFirst)
    }

    private func client(_ address: String) -> PictureQueue.Caller { .client(ClientNetwork(ClientAddress(address)!)) }

    private func authorized(_ app: Int64) -> PictureQueue.Caller { .authorized(App.ID(rawValue: app)) }
}
