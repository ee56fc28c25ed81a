/// The names of the texts on pages for visitors. Each language has exactly these.
package enum PageText: String, CaseIterable, Sendable {
    // On the way into the app.
    case openApp, openingApp, continuing, getApp, continueOnWeb, copiesLink
    /// What a page says of content without a description; `{app}` stands for the app's name.
    case linkToApp

    // From a desktop to a phone.
    case scan, openOnPhone, codeOfLink
    /// The label of the field for a phone number.
    case textMessage
    case send, sentTitle, sentText, phoneInvalid, tooManyMessages, messageNotSent

    // Where a link does not lead on.
    case notFoundTitle, notFoundText, expiredTitle, expiredText, usedTitle, usedText, notAvailable
    case failedTitle, tryAgain, backToLink

    // At the root of the server, for its operator.
    case welcomeTitle, welcomeText, firstLinkTitle, firstLinkText, documentationTitle
    /// Goes before the address of the description of all calls.
    case documentationText
}
