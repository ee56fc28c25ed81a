import Foundation

/// The pages of memory that hold the program's code.
enum ProgramCode {
    /// Gives the pages back to the system after some seconds: more than half of them are of code that only the start needs. A page that is
    /// needed again comes from the system's cache of the program's file.
    static func giveBack(afterSeconds seconds: Int) {
        DispatchQueue.global().asyncAfter(deadline: .now() + .seconds(seconds)) { giveBack() }
    }

    static func giveBack() {
        for pages in mappings() { madvise(UnsafeMutableRawPointer(bitPattern: pages.lowerBound), pages.count, MADV_DONTNEED) }
    }

    /// Returns the addresses to which the code of the program's file is mapped. No one writes to these, so nothing is lost.
    private static func mappings() -> [Range<UInt>] {
        guard let program = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe"),
            let maps = try? String(contentsOfFile: "/proc/self/maps", encoding: .utf8)
        else { return [] }
        return maps.split(separator: "\n").compactMap { line in
            // 5626a000-5a0c4000 r-xp 00000000 fe:00 16310293   /usr/bin/linden
            let fields = line.split(separator: " ", maxSplits: 5)
            guard fields.count == 6, fields[1] == "r-xp", fields[5].drop(while: { $0 == " " }) == program else { return nil }
            let ends = fields[0].split(separator: "-").compactMap { UInt($0, radix: 16) }
            return ends.count == 2 && ends[0] < ends[1] ? ends[0]..<ends[1] : nil
        }
    }
}
