import Foundation

/// Runs one input: the first byte selects the parser, the rest is its input.
func tryInput(_ bytes: some Collection<UInt8>) {
    guard let first = bytes.first else { return }
    let parsers = Parser.allCases
    parsers[Int(first) % parsers.count].read(bytes.dropFirst())
}

@main
struct ParserFuzzer {
    #if LIBFUZZER
        /// Runs libFuzzer, which parses the command line itself.
        static func main() {
            var count = CommandLine.argc
            var arguments: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>? = CommandLine.unsafeArgv
            exit(runDriver(&count, &arguments, tryOneInput))
        }
    #else
        /// Without libFuzzer: runs the inputs in the files named on the command line, such as one that crashed a parser.
        static func main() throws {
            for path in CommandLine.arguments.dropFirst() { tryInput(try Data(contentsOf: URL(fileURLWithPath: path))) }
        }
    #endif
}

#if LIBFUZZER
    /// The entry point that libFuzzer calls for each input.
    @_cdecl("LLVMFuzzerTestOneInput")
    public func tryOneInput(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
        tryInput(UnsafeBufferPointer(start: start, count: count))
        return 0
    }

    @_silgen_name("LLVMFuzzerRunDriver")
    private func runDriver(
        _ count: UnsafeMutablePointer<CInt>, _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?>,
        _ tryInput: @convention(c) (UnsafePointer<UInt8>?, Int) -> CInt
    ) -> CInt
#endif
