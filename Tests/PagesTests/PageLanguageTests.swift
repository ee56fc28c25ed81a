import Foundation
import Testing

@testable import Pages

@Suite struct PageLanguageTests {
    private static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .appendingPathComponent("../../Sources/Pages").standardizedFileURL

    @Test(arguments: PageLanguage.all)
    func aLanguageHasEveryTextAndNoOther(language: PageLanguage) {
        #expect(Set(language.texts.keys) == Set(PageText.allCases.map(\.rawValue)))
        for text in PageText.allCases {
            #expect(language[text] == language[text].trimmingCharacters(in: .whitespacesAndNewlines), "\(text)")
            #expect(!language[text].isEmpty, "\(text)")
            #expect(language[text].placeholders == PageLanguage.english[text].placeholders, "\(text)")
        }
    }

    @Test func everyFileOfTextsIsALanguage() throws {
        let files = try FileManager.default.contentsOfDirectory(atPath: Self.folder.appendingPathComponent("Languages").path)
        let codes = files.filter { $0.hasSuffix(".json") }.map { String($0.dropLast(5)) }
        #expect(Set(codes) == Set(PageLanguage.all.map(\.code)))
    }

    /// A name that is no text would leave a gap on the page.
    @Test func theTemplateNamesTextsThatExist() throws {
        let template = try String(contentsOf: Self.folder.appendingPathComponent("Templates/page.mustache"), encoding: .utf8)
        let names = template.matches(of: /texts\.(\w+)/).map { String($0.1) }
        #expect(!names.isEmpty)
        #expect(names.allSatisfy { PageText(rawValue: $0) != nil }, "\(names)")
        // Words of a language are in its file alone.
        let words = template.replacing(/<style>.*?<\/style>|<[^>]*>|\{\{.*?\}\}/, with: "").filter { $0.isLetter }
        #expect(words.isEmpty, "\(words)")
    }

    @Test(arguments: [
        (nil, "en"), ("", "en"), ("de", "de"), ("de-AT,de;q=0.9,en;q=0.8", "de"), ("DE_at", "de"), ("nl,en;q=0.5,de;q=0.8", "de"),
        ("nl,sv", "en"), ("*", "en"), ("fr;q=0, es", "es"), ("fr; q=0.3, ja; q=0.4", "ja"), ("pt-BR", "pt"), ("en,de", "en"),
        ("fr;q=x,es;q=0.1", "es"), (";;;,,,", "en"), ("deu", "en"), ("zh-CN,zh;q=0.9,ja;q=0.1", "ja"),
        (String(repeating: "xx,", count: 10_000) + "de", "en"), ("de;q=nan", "en"),
    ])
    func aPageIsInTheLanguageThatTheBrowserPrefers(header: String?, code: String) {
        #expect(PageLanguage.preferred(by: header).code == code)
    }
}

extension String {
    fileprivate var placeholders: [String] { matches(of: /\{\w+\}/).map { String($0.0) }.sorted() }
}
