import Linden
import LindenKernel
import LindenReporting

/// The clicks of data subjects, and the text messages that led to them.
extension PersonalDataSearch {
    /// Finds the clicks that led to its sessions, those of its browsers, those that name its devices, and the messages that led to them.
    func findClicks(_ data: inout PersonalData) async throws {
        let browsers = data.browsers.union(data.devices)
        var named: [(click: Click.ID, browser: Browser.ID)] = []
        for identity in data.identities.ids {
            data.clicks.formUnion(try await storage.read { try $0.identity(identity)?.lastClick }.map { [$0] } ?? [])
        }
        try await forEach(.clicks) { row in
            let id = Click.ID(rawValue: row.id)
            guard
                data.clicks.contains(id) || row.device.map(browsers.contains) == true
                    || row.namedDevices.contains(where: data.deviceKeys.contains)
            else { return }
            data.clicks.insert(id)
            guard let browser = row.device else { return }
            guard browsers.contains(browser) else {
                if !row.namedDevices.contains(where: data.deviceKeys.contains) { named.append((id, browser)) }
                return
            }
            data.browserClicks.insert(id)
            guard let way = row.click else { return }
            data.followedMessages.insert(TextMessage.ID(rawValue: way.rawValue))
        }
        try await removeOthers(named, &data)
    }

    /// Removes those of its clicks that are certainly another's: the browser is certain to be beside an app of another, and the click did not
    /// lead its own app here first. Its sessions named these, which anyone may who knows a click's id. A click that may be of both stays.
    ///
    /// - Parameter named: the clicks that another browser made and that name none of its devices.
    private func removeOthers(_ named: [(click: Click.ID, browser: Browser.ID)], _ data: inout PersonalData) async throws {
        let (devices, identities, sessions, scope) = (data.devices, data.identities, data.sessions, scope)
        var others = SortedIDs<Click>()
        for start in stride(from: 0, to: named.count, by: Self.clicksPerRead) {
            try Task.checkCancellation()
            let portion = Array(named[start..<min(start + Self.clicksPerRead, named.count)])
            let found = try await storage.read { reader in
                try portion.filter { click, browser in
                    guard let app = try reader.app(beside: browser, in: scope), !app.isGuessed, !devices.contains(app.device),
                        let first = try reader.session(claiming: click, isPage: false)
                    else { return false }
                    return !sessions.contains(first.id) && !identities.contains(first.identity)
                }
            }
            others.formUnion(found.map(\.click))
        }
        if others.count > 0 { data.clicks = data.clicks.filter { !others.contains($0) } }
    }

    private static let clicksPerRead = 100

    /// Finds the messages that its browsers followed and the others to their phone numbers, the clicks on their links, and the events about these
    /// messages or from the pages of its browsers' clicks. Where another browser followed a message to a number, too, the message was forwarded, by or
    /// to the person: the number may be the other's.
    func findMessages(_ data: inout PersonalData, _ publicIDs: PublicIDs) async throws {
        let ways = data.followedMessages
        data.phones.formUnion(try await storage.read { reader in try ways.compactMap { try reader.textMessage($0)?.phone } })
        if !data.phones.isEmpty {
            var messages: [TextMessage.ID: PhoneNumber] = [:]
            try await forEach(.textMessages) { row in
                guard let phone = row.phone, data.phones.contains(phone) else { return }
                messages[TextMessage.ID(rawValue: row.id)] = phone
            }
            let browsers = data.browsers.union(data.devices)
            var clicks: [Click.ID] = []
            try await forEach(.clicks) { row in
                guard let way = row.click, let phone = messages[TextMessage.ID(rawValue: way.rawValue)] else { return }
                let isOwn = row.device.map(browsers.contains) ?? true
                if isOwn { clicks.append(Click.ID(rawValue: row.id)) } else { data.phones.remove(phone) }
            }
            data.clicks.formUnion(clicks)
            data.followedMessages.formIntersection(messages.keys)
            data.textMessages = data.followedMessages.union(messages.filter { data.phones.contains($0.value) }.keys)
        }
        try await forEach(.events) { row in
            let click: Click.ID? = row.page.flatMap { publicIDs.id(for: $0) }
            guard row.phone.map(data.phones.contains) == true || click.map(data.browserClicks.contains) == true
            else { return }
            data.messageEvents.insert(Event.ID(rawValue: row.id))
        }
    }
}
