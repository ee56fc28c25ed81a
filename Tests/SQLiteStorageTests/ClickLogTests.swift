import Linden
import LindenKernel
import LindenServices
import LindenTesting
import LinkRouting
import SQLStorage
import SQLiteStorage
import Testing

@Suite struct ClickLogTests {
    @Test func everythingAClickTellsIsReadBack() async throws {
        let visitor = Visitor(
            platform: .android, os: "Android", osVersion: "15", device: .androidPhone, maker: .google, model: "Pixel 8",
            browser: WebBrowser(.samsungInternet, version: "27.1"), inAppBrowser: .weChat, country: "DE", robot: .prefetch)
        try await expectRoundTrip { id in
            Click(
                id: id, link: Link.ID(rawValue: 2), scope: Scope(app: Identifier(rawValue: 3), mode: .test), visitor: visitor,
                address: "203.0.113.7", addressClass: .owner, userAgent: "Browser/1", referrer: "https://news.example/pears?page=2",
                referrerHost: "news.example", query: "utm_source=news&utm_medium=e%2Dmail&utm_campaign=fr%C3%BChling",
                action: .app, reason: .app, browser: Browser.ID(rawValue: 4), via: Click.ID(rawValue: 5))
        }
    }

    @Test func whatAClickDoesNotTellStaysUnsaid() async throws {
        try await expectRoundTrip { id in
            Click(
                id: id, link: Link.ID(rawValue: 2), scope: Scope(app: Identifier(rawValue: 3), mode: .live),
                visitor: Visitor(platform: .desktop), address: "", userAgent: "", referrer: nil, query: nil, reason: nil)
        }
    }

    @Test func everyWordOfTheLogIsReadBack() async throws {
        func visitors<Word: CaseIterable>(_ words: Word.Type, _ change: (inout Visitor, Word) -> Void) -> [Visitor] {
            words.allCases.map { word in
                var visitor = Visitor(platform: .desktop)
                change(&visitor, word)
                return visitor
            }
        }
        var all = visitors(Platform.self) { $0.platform = $1 }
        all += visitors(DeviceFamily.self) { $0.device = $1 }
        all += visitors(DeviceMaker.self) { $0.maker = $1 }
        all += visitors(WebBrowser.Family.self) { $0.browser = WebBrowser($1) }
        all += visitors(InAppBrowser.self) { $0.inAppBrowser = $1 }
        all += visitors(RobotReason.self) { $0.robot = $1 }
        try await Installation.run { [all] installation in
            for visitor in all {
                let click = try await installation.insertAndRead { .sample(visitor, $0) }
                #expect(click.read == click.written)
            }
            for addressClass in AddressClass.allCases {
                let click = try await installation.insertAndRead {
                    .sample(Visitor(platform: .desktop), $0, addressClass: addressClass)
                }
                #expect(click.read == click.written)
            }
            for action in Click.Action.allCases {
                let click = try await installation.insertAndRead { .sample(Visitor(platform: .desktop), $0, action: action) }
                #expect(click.read == click.written)
            }
            for reason in Destination.Reason.allCases {
                let click = try await installation.insertAndRead { .sample(Visitor(platform: .desktop), $0, reason: reason) }
                #expect(click.read == click.written)
            }
        }
    }

    @Test func textsThatRepeatAreWrittenOnce() async throws {
        try await Installation.run { installation in
            for _ in 0..<3 {
                try await installation.storage.write { transaction in
                    let id: Click.ID = try transaction.newID()
                    try transaction.insert(
                        Click(
                            id: id, link: Link.ID(rawValue: 2), scope: Scope(app: Identifier(rawValue: 3), mode: .live),
                            visitor: Visitor(platform: .android, model: "Pixel 8"), address: "", userAgent: "Browser/1",
                            // A different page for each click, all of one site.
                            referrer: "https://news.example/\(id)", referrerHost: "news.example", query: nil, reason: nil))
                }
            }
            let once = try await installation.texts(
                "SELECT value FROM strings WHERE value NOT LIKE 'https:%' ORDER BY value")
            #expect(once == ["Browser/1", "Pixel 8", "news.example"])
        }
    }

    /// Strings are separate by kind, so that a flood of new values of one kind, such as models, does not use up another kind's limit.
    @Test func oneTextInTwoPlacesIsTwoTerms() async throws {
        try await Installation.run { installation in
            let click = try await installation.insertAndRead { id in
                Click(
                    id: id, link: Link.ID(rawValue: 2), scope: Scope(app: Identifier(rawValue: 3), mode: .live),
                    visitor: Visitor(platform: .android, model: "x"), address: "", userAgent: "x", referrer: "x", referrerHost: "x",
                    query: nil, reason: nil)
            }
            #expect(click.read == click.written)
            #expect(try await installation.count("SELECT COUNT(*) FROM strings") == 4)
        }
    }

    private func expectRoundTrip(
        _ click: @escaping @Sendable (Click.ID) -> Click, sourceLocation: SourceLocation = #_sourceLocation
    )
        async throws
    {
        try await Installation.run { installation in
            let click = try await installation.insertAndRead(click)
            #expect(click.read == click.written, sourceLocation: sourceLocation)
        }
    }
}

extension Installation {
    fileprivate func insertAndRead(_ click: @escaping @Sendable (Click.ID) -> Click) async throws -> (written: Click, read: Click?)
    {
        let written = try await storage.write { transaction in
            let click = click(try transaction.newID())
            try transaction.insert(click)
            return click
        }
        return (written, try await storage.read { try $0.click(written.id) })
    }
}

extension Click {
    fileprivate static func sample(
        _ visitor: Visitor, _ id: Click.ID, addressClass: AddressClass = .plain, action: Action? = nil,
        reason: Destination.Reason? = nil
    ) -> Click {
        Click(
            id: id, link: Link.ID(rawValue: 2), scope: Scope(app: Identifier(rawValue: 3), mode: .live), visitor: visitor,
            address: "", addressClass: addressClass, userAgent: "", referrer: nil, query: nil, action: action, reason: reason)
    }
}
