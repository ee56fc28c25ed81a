import LindenKernel

/// The requests that people's actions send to the server.
extension HistoryGenerator {
    /// One person's visit to one link.
    struct Visit {
        let person: Person
        let app: Int
        let target: Target
        let channel: Channel
        let time: Timestamp
        let place: Place
    }

    private static let inAppBrowsers = Weighted(Figures.inAppBrowsers)
    private static let iOSBrowsers = Weighted(Figures.iOSBrowsers)
    private static let androidBrowsers = Weighted(Figures.androidBrowsers)

    /// The times at which an installation began, ended, and was first opened.
    struct Installation {
        let begun: Timestamp
        let installed: Timestamp
        let opened: Timestamp
    }

    /// Records one person's clicks and, with the channel's probability, the install.
    ///
    /// - Returns: the time of the first opening; nil without an install.
    @discardableResult
    mutating func visit(_ visit: Visit) -> Timestamp? {
        let person = visit.person
        let browser = browser(for: visit.channel, on: person)
        var last = visit.time
        var clicks = [click(visit, visit.target, browser, at: last, isSecond: false)]
        if random.chance(Figures.clicksTwice) {
            last = last + .seconds(1) + random.exponential(mean: Figures.secondClickAfter)
            let isOther = random.chance(Figures.secondClickIsOther)
            let target = isOther ? campaigns.target(visit.app, by: .post, &random).0 : visit.target
            // The install was caused by the last click, or by earlier ones that lead to the same data.
            if target != visit.target { clicks = [] }
            clicks.insert(click(visit, target, browser, at: last, isSecond: true), at: 0)
        }
        sendRobots()
        guard random.chance(conversion(visit.channel)) else { return nil }
        let course = installation(
            after: random.logNormal(random.chance(Figures.delayTailShare) ? Figures.delayTail : Figures.delayBody), at: last)
        let delay = course.opened - last
        let place = world.place(of: person, at: course.opened, from: visit.place, after: delay, &random)
        install(person, visit.app, course, place, clicks: clicks)
        return course.opened
    }

    mutating func browser(for channel: Channel, on person: Person) -> BrowserName {
        let isInApp = random.chance(Figures.inAppShare(channel))
        let browsers = isInApp ? Self.inAppBrowsers : person.phone.os == .iOS ? Self.iOSBrowsers : Self.androidBrowsers
        return browsers.pick(&random)
    }

    /// Returns the times of an installation that begins a delay after a time.
    mutating func installation(after delay: Duration, at time: Timestamp) -> Installation {
        let begun = time + min(max(delay, Figures.shortestDelay), Figures.longestDelay)
        let download = random.logNormal(random.chance(assumptions.slow) ? Figures.slowDownload : Figures.download)
        let installed = begun + max(download, Figures.shortestDownload)
        let opened =
            installed + .seconds(1) + random.logNormal(random.chance(assumptions.later) ? Figures.opensLater : Figures.opensSoon)
        return Installation(begun: begun, installed: installed, opened: opened)
    }

    /// - Returns: the recorder's number of the click.
    mutating func click(_ visit: Visit, _ target: Target, _ browser: BrowserName, at time: Timestamp, isSecond: Bool) -> Int {
        let person = visit.person
        let (address, network) = world.address(of: person, at: visit.place, time, for: .browser(browser), &random)
        let report = person.phone.report(of: browser, hintsHaveCome: isSecond || random.chance(Figures.hintsHaveCome))
        let isChromium = report.hasHints
        let page = PageReport(
            timeZone: person.phone.timeZone, screen: person.phone.browserScreen.roundedUp,
            osVersion: isChromium ? person.phone.make.osVersion : nil, model: isChromium ? person.phone.make.model.name : nil)
        // Browsers within Android apps are redirected to the store at once, without a page.
        let hasReported = random.chance(Figures.pageReports) && !(person.phone.os == .android && browser.isInApp)
        let app = Campaigns.app(of: target.link)
        if random.chance(Figures.prefetched) {
            _ = recorder.record(
                SimulatedClick(
                    time: time - .seconds(1), app: app, link: target.link, content: target.content, address: address,
                    browser: report, isRobot: true, isPrefetch: true, network: network))
        }
        return recorder.record(
            SimulatedClick(
                time: time, app: app, link: target.link, content: target.content, address: address, browser: report,
                page: hasReported ? page : nil, network: network))
    }

    mutating func install(_ person: Person, _ app: Int, _ course: Installation, _ place: Place, clicks: [Int]) {
        record(
            person, app, at: course.opened, place, clicks: clicks, isKnown: false,
            installedAgo: random.chance(assumptions.times) ? course.opened - course.installed : nil,
            begunAgo: person.phone.os == .android && random.chance(assumptions.times) ? course.opened - course.begun : nil)
    }

    mutating func record(
        _ person: Person, _ app: Int, at time: Timestamp, _ place: Place, clicks: [Int], isKnown: Bool,
        opening: SimulatedOpening = .nothing, installedAgo: Duration? = nil, begunAgo: Duration? = nil
    ) {
        let phone = person.phone
        let (address, network) = world.address(of: person, at: place, time, for: .app, &random)
        recorder.record(
            SimulatedInstall(
                id: recorder.recorded, isKnown: isKnown, device: person.seed, time: time, app: app, address: address, os: phone.os,
                osVersion: phone.make.osVersion, apiLevel: phone.make.apiLevel, model: phone.make.model.name,
                language: Figures.language(of: app, on: phone, isEnglish: assumptions.english),
                timeZone: phone.timeZone,
                screen: phone.os == .android ? phone.make.model.screen.withoutBar : phone.make.model.screen,
                webView: phone.webViewReport, installedAgo: installedAgo, begunAgo: begunAgo, opening: opening, network: network,
                ownClicks: clicks))
    }

    // MARK: Robots

    /// Records the fetch of a link by the sender's phone for a message's preview. In the same home or office it has the receiver's address.
    mutating func preview(_ target: Target, _ app: Int, for person: Person, at time: Timestamp, _ place: Place? = nil) {
        let sender = place == nil ? world.stranger(&random) : person
        let sent = time - random.exponential(mean: Figures.afterRecommendation.median)
        let (address, network) = world.address(of: sender, at: place ?? .home, sent, for: .app, &random)
        let agent = RobotAgents.onPhones[random.number(below: RobotAgents.onPhones.count)]
        _ = recorder.record(
            SimulatedClick(
                time: sent, app: app, link: target.link, content: target.content, address: address,
                browser: RobotAgents.report(agent), isRobot: true, network: network))
    }

    /// Records the robots' requests that accompany a person's visit; some have a phone's user agent.
    private mutating func sendRobots() {
        guard random.chance(Figures.robotsPerClick) else { return }
        let app = campaigns.app(&random)
        let target = campaigns.target(app, by: .post, &random).0
        let isDisguised = random.chance(Figures.disguisedRobots)
        let agent = RobotAgents.inDataCentres[random.number(below: RobotAgents.inDataCentres.count)]
        let phone = world.anyPhone(&random)
        _ = recorder.record(
            SimulatedClick(
                time: Timetable.anyTime(in: Figures.regions[0].0, &random), app: app, link: target.link,
                content: target.content, address: world.dataCentre(&random),
                browser: isDisguised
                    ? phone.report(of: phone.os == .iOS ? .safari : .chrome, hintsHaveCome: false) : RobotAgents.report(agent),
                isRobot: !isDisguised, network: .dataCentre))
    }
}
