import BranchWire
import Linden
import LindenAPI
import LindenKernel
import LindenServices

/// The QR code of a link, in the style that the query has. Nothing is stored: the address of the page has the whole style.
extension Dashboard {
    func linkCodePage(_ page: PageRequest) async throws -> DashboardAnswer {
        let (link, style) = (try await codedLink(page), LinkCodeStyle(page.query))
        let (app, url, path) = (try page.app, services.links.url(of: link), PagePath.link(link.id, link.scope))
        var blocks: [Block] = []
        var failure: Failure?
        do {
            // Drawn once to find a mistake, which a picture could not say.
            _ = try await drawCode(url, try style.renderer(as: .svg), link.scope)
            blocks = [
                Block(
                    picture: Picture(
                        pictureSource: style.path(path, as: .svg), pictureDescription: "QR code of \(url)",
                        pictureNote: "Try it with a phone before you print it.", isLarge: true)),
                .buttons(
                    LinkCodeStyle.Format.allCases.map {
                        Button(buttonLabel: "Download \($0.name)", buttonHref: style.path(path, as: $0, isDownload: true))
                    }),
            ]
        } catch let fault as Failure where fault.isAboutInput {
            let (message, prefix) = (fault.message, QRCodeRenderer.undrawable)
            failure = Failure(
                fault.code, message.hasPrefix(prefix) ? String(message.dropFirst(prefix.count)) : message,
                retryAfter: fault.retryAfter)
        }
        blocks += [Block].form(style.form(path), failure)
        blocks.append(.paragraph("The address of this page has the whole style, for a bookmark."))
        blocks.append(Block(equivalents: style.equivalents(of: link, url)))
        return PageView("QR code", lead: url, blocks).of(app, try page.user, section: PagePath.links(app.scope))
            .answer(failure.map { .failed($0.code, retryAfter: $0.retryAfter) } ?? .found)
    }

    func linkCode(_ page: PageRequest, as format: LinkCodeStyle.Format) async throws -> DashboardAnswer {
        let (link, style) = (try await codedLink(page), LinkCodeStyle(page.query))
        let renderer = try style.renderer(as: format)
        var answer = DashboardAnswer(
            contentType: renderer.contentType, body: try await drawCode(services.links.url(of: link), renderer, link.scope))
        if page.query["download"] == "true" { answer.fileName = "link-\(link.id.rawValue).\(format.rawValue)" }
        return answer
    }

    private func codedLink(_ page: PageRequest) async throws -> Link {
        let link = try await link(page)
        guard link.deletedAt == nil, QRCodeRenderer.isAvailable else { throw Failure.notFound("There is no code.") }
        return link
    }
}
