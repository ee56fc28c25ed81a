import LindenKernel
import LindenReporting

extension Progress {
    func show(_ counting: CountingProgress) {
        switch counting {
        case .links(let time): show("Counting for links, until \(time.iso8601)")
        case .rows(let log, let time): show("Counting \(log.rawValue), until \(time.iso8601)")
        case .devices(let log, let day): show("Counting the devices of \(log.rawValue), \(Day(number: day).text)")
        }
    }
}
