import LindenKernel
import Testing

/// The names of apps at Apple and Google, which association files have.
@Suite struct AppNameTests {
    @Test(arguments: [
        (AppName.teamID, ["ABCDE12345"], ["", "ABCDE1234", "ABCDE123456", "abcde12345", "ABCDE1234\u{301}", "ABCDE 2345"]),
        (.bundleID, ["com.example.pears", "a", "1-2", "."], ["", "com.example.p\u{e9}ars", "com_example", "a b", "a\r\n"]),
        (
            .package, ["com.example", "a.b_1.C2"],
            ["", "com", "com.", ".com", "com..example", "1com.example", "com.1example", "com.ex-ample", "com._a", "com.a\u{301}"]
        ),
    ])
    func aNameHasTheSyntaxOfItsKind(name: AppName, right: [String], wrong: [String]) {
        for text in right { #expect(name.fits(text), "\(text)") }
        for text in wrong { #expect(!name.fits(text), "\(text)") }
    }
}
