/// Everything that may tie one opening of an app to a click, gathered before anything is decided.
package struct Evidence: Sendable {
    /// A click id that came with the opening.
    package var linkClick: LinkClickEvidence
    /// The URL that opened the app.
    package var linkURL: LinkURLEvidence
    /// What the browser on the same device clicked last.
    package var browserClick: BrowserClick?
    /// Open clicks that look like this device, newest first; nil if the device cannot be compared.
    package var similarClicks: [SimilarClick]?

    package init(
        linkClick: LinkClickEvidence = .none, linkURL: LinkURLEvidence = .none, browserClick: BrowserClick? = nil,
        similarClicks: [SimilarClick]? = nil
    ) {
        self.linkClick = linkClick
        self.linkURL = linkURL
        self.browserClick = browserClick
        self.similarClicks = similarClicks
    }

    package enum LinkClickEvidence: Sendable {
        case none
        /// An id that is no click of this app.
        case unknown
        case found(click: Click.ID, link: Link.ID)
        /// A click of a link that was for one use.
        case usedUp
    }

    package struct BrowserClick: Sendable {
        package let click: Click.ID
        package let link: Link.ID

        package init(click: Click.ID, link: Link.ID) {
            self.click = click
            self.link = link
        }
    }

    package enum LinkURLEvidence: Sendable {
        case none
        /// A URL that is no link of this app.
        case foreign
        case found(link: Link.ID)
        /// A link of this app that was for one use, or for a time or so many clicks.
        case ended
    }

    /// An open click of the same address, system and version.
    package struct SimilarClick: Sendable {
        package let click: Click.ID
        package let link: Link.ID
        /// Equal for clicks that lead to the same data.
        package let content: String

        package init(click: Click.ID, link: Link.ID, content: String) {
            self.click = click
            self.link = link
            self.content = content
        }
    }
}
