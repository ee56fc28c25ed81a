/// The releases of Android by their API levels, which the Android SDK sends in `os_version`.
package enum AndroidRelease {
    /// Returns the API level that a text is; nil for other texts, such as a release.
    ///
    /// Numbers above 20 are API levels: no Android release has had such a number, and older levels are out of use.
    package static func level(_ text: String) -> Int? {
        Int(text).flatMap { $0 > 20 ? $0 : nil }
    }

    /// Returns the release of an API level (https://apilevels.com), from Android 5 on; nil for a level that is not known.
    package static func name(ofLevel level: Int) -> String? { names[level] }

    private static let names: [Int: String] = [
        21: "5", 22: "5.1", 23: "6", 24: "7", 25: "7.1", 26: "8", 27: "8.1", 28: "9", 29: "10", 30: "11", 31: "12", 32: "12",
        33: "13", 34: "14", 35: "15", 36: "16",
    ]
}
