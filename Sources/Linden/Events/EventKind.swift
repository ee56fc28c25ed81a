/// The topic of an event, by which Branch divides its exports and reports. Stored as a number.
package enum EventKind: Int64, Sendable, CaseIterable {
    case custom
    case commerce
    case content
    case lifecycle
    /// A page on which the Web SDK was initialized.
    case pageView
    /// A Journey that was closed.
    case dismissal
    /// A text message with a link that a visitor requested.
    case textMessage
}

/// Branch's standard events (Events API, "Track Commerce, Content, Lifecycle Events"; the last two are from the iOS SDK).
package enum StandardEvent: String, Sendable, CaseIterable {
    case addToCart = "ADD_TO_CART"
    case addToWishlist = "ADD_TO_WISHLIST"
    case viewCart = "VIEW_CART"
    case initiatePurchase = "INITIATE_PURCHASE"
    case addPaymentInfo = "ADD_PAYMENT_INFO"
    case clickAd = "CLICK_AD"
    case purchase = "PURCHASE"
    case reserve = "RESERVE"
    case spendCredits = "SPEND_CREDITS"
    case viewAd = "VIEW_AD"

    case search = "SEARCH"
    case viewItem = "VIEW_ITEM"
    case viewItems = "VIEW_ITEMS"
    case rate = "RATE"
    case share = "SHARE"
    case initiateStream = "INITIATE_STREAM"
    case completeStream = "COMPLETE_STREAM"

    case completeRegistration = "COMPLETE_REGISTRATION"
    case completeTutorial = "COMPLETE_TUTORIAL"
    case achieveLevel = "ACHIEVE_LEVEL"
    case unlockAchievement = "UNLOCK_ACHIEVEMENT"
    case invite = "INVITE"
    case login = "LOGIN"
    case startTrial = "START_TRIAL"
    case subscribe = "SUBSCRIBE"
    case optIn = "OPT_IN"
    case optOut = "OPT_OUT"

    static let longestName = allCases.map(\.rawValue.utf8.count).max() ?? 0

    package var kind: EventKind {
        switch self {
        case .addToCart, .addToWishlist, .viewCart, .initiatePurchase, .addPaymentInfo, .clickAd, .purchase, .reserve,
            .spendCredits,
            .viewAd:
            .commerce
        case .search, .viewItem, .viewItems, .rate, .share, .initiateStream, .completeStream: .content
        case .completeRegistration, .completeTutorial, .achieveLevel, .unlockAchievement, .invite, .login, .startTrial, .subscribe,
            .optIn, .optOut:
            .lifecycle
        }
    }

    /// The action on the event's content, if it is counted.
    package var contentAction: ContentAction? {
        switch self {
        case .viewItem, .viewItems: .view
        case .share: .share
        case .purchase: .purchase
        default: nil
        }
    }
}
