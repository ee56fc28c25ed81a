/// The keys of the texts on pages. Each language has exactly these.
package enum PageText: String, CaseIterable, Sendable {
    // Launching the app.
    case openApp, openingApp, continuing, getApp, continueOnWeb, copiesLink
    /// The description of content that has none; `{app}` stands for the app's name.
    case linkToApp

    // Transfer from a desktop to a phone.
    case scan, openOnPhone, codeOfLink
    /// The label of the field for a phone number.
    case textMessage
    case send, sentTitle, sentText, phoneInvalid, tooManyMessages, messageNotSent

    // Links without a destination, and errors.
    case notFoundTitle, notFoundText, expiredTitle, expiredText, usedTitle, usedText, notAvailable
    case failedTitle, tryAgain, backToLink

    // The page at the root of the server, for its operator.
    case welcomeTitle, welcomeText, firstLinkTitle, firstLinkText, documentationTitle
    /// Precedes the URL of the OpenAPI description.
    case documentationText
}
