import ArgumentParser

@main
struct AccuracyCommand: ParsableCommand {
    func run() {
        for mix in NetworkMix.all {
            let history = HistoryGenerator.history(mix, people: 60_000, seed: 1)
            print("\(mix.name): \(history.clicks.count) clicks, \(history.installs.count) installs")
        }
    }
}
