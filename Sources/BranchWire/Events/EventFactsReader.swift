import Foundation
import Linden
import LindenKernel

/// A parser of the facts that analytics use of an event's body. It records problems and never rejects an event, because released apps
/// cannot be corrected.
struct EventFactsReader {
    private(set) var facts = EventFacts()
    private let body: RequestFields
    /// Whether problems of this call are recorded: those of `/v2/event/…` and `/v1/event`.
    private let isChecked: Bool
    private let isVersion1: Bool

    init(_ body: RequestFields, endpoint: String, name: String?) {
        self.body = body
        isVersion1 = endpoint == "v1/event"
        isChecked = isVersion1 || endpoint.hasPrefix("v2/event/")
        switch endpoint {
        case "v1/pageview": facts.kind = .pageView
        case "v1/dismiss": facts.kind = .dismissal
        case "c": facts.kind = .textMessage
        case "v1/register-view": facts.standard = .viewItem
        default:
            guard isChecked else { break }
            if let name, name.utf8.count <= Event.longestName {
                facts.standard = isVersion1 ? StandardEvent(version1: name) : StandardEvent(version2: name)
            } else {
                note(name == nil ? .nameMissing : .nameTooLong)
            }
            if endpoint == "v2/event/standard", name != nil, facts.standard == nil { note(.nameUnknown) }
        }
        if let standard = facts.standard { facts.kind = standard.kind }
        if isChecked || facts.standard != nil { readContent() }
        if isChecked {
            readCommerce()
            checkData()
        }
    }

    mutating func note(_ problem: EventProblem) {
        if isChecked, !facts.problems.contains(problem) { facts.problems.append(problem) }
    }

    // MARK: Commerce

    /// The commerce fields: `event_data`, in v1 `commerce_data`, or the amount in the metadata of iOS SDKs before 0.12.
    private var eventData: JSONObject {
        if let data = body[isVersion1 ? "commerce_data" : "event_data"]?.object { return data }
        guard isVersion1, let metadata = body["metadata"]?.object, let amount = metadata["$amount"] else { return [:] }
        return ["revenue": amount, "currency": metadata["$currency"] ?? .null]
    }

    private mutating func readCommerce() {
        let data = eventData
        let fields = RequestFields(data)
        facts.commerce.transactionID = fields.text("transaction_id")
        if facts.commerce.transactionID.map({ $0.utf8.count > Commerce.longestText }) ?? false {
            facts.commerce.transactionID = nil
            note(.transactionTooLong)
        }
        for key in ["shipping", "tax"] where fields.isPresent(key) && (try? Money(fields.text(key) ?? "")) == nil {
            note(.amountMalformed)
        }
        if let code = fields.text("currency") {
            facts.commerce.currency = Currency(code)
            facts.commerce.isCurrencyUnknown = facts.commerce.currency == nil
        } else if fields.isPresent("currency") {
            facts.commerce.isCurrencyUnknown = true
        }
        if facts.commerce.isCurrencyUnknown { note(.currencyUnknown) }
        readRevenue(fields)
    }

    private mutating func readRevenue(_ fields: RequestFields) {
        guard fields.isPresent("revenue") else {
            if facts.standard == .purchase { note(.revenueMissing) }
            return
        }
        let text = fields.text("revenue")
        facts.commerce.revenueText = text.flatMap { $0.utf8.count <= Commerce.longestText ? $0 : nil }
        do {
            facts.commerce.revenue = try Money(text ?? "")
            if !fields.isPresent("currency") { note(.currencyMissing) }
        } catch {
            note(error == .tooLarge ? .revenueTooLarge : .revenueMalformed)
        }
    }

    // MARK: Content

    private mutating func readContent() {
        let items = items
        // By their bytes, as the database compares them.
        var seen: Set<[UInt8]> = []
        for item in items {
            guard let data = item.object, let identifier = UniversalObject.identifier(in: data) else {
                note(.contentMalformed)
                continue
            }
            guard seen.insert(Array(identifier.utf8)).inserted else { continue }
            guard facts.content.count < EventFacts.mostContent else {
                note(.contentTooMuch)
                return
            }
            if let object = ObjectDescription(item: data) { facts.content.append(content(object, data)) }
        }
        if items.isEmpty, !isVersion1, [.viewItem, .viewItems].contains(facts.standard) { note(.contentMissing) }
    }

    /// The content items: `content_items`; in v1 `data` (iOS) or `params` (Android) of a view, or the objects that the metadata of an old
    /// event lists.
    private var items: [JSON] {
        if let items = body["content_items"], !items.isNull { return items.array ?? [items] }
        for key in ["params", "data"] {
            if let content = body[key]?.openedObject, UniversalObject.identifier(in: content) != nil { return [.object(content)] }
        }
        guard isVersion1, let metadata = body["metadata"]?.object else { return [] }
        return ListedContent(metadata: metadata)?.items ?? []
    }

    private mutating func content(_ object: ObjectDescription, _ data: JSONObject) -> EventContent {
        let fields = RequestFields(data)
        var content = EventContent(object, currency: fields.text("$currency").flatMap { Currency($0) })
        do throws(Money.ParseError) {
            let price = fields.isPresent("$price") ? try Money(fields.text("$price") ?? "") : nil
            let quantity = fields.isPresent("$quantity") ? try Money(fields.text("$quantity") ?? "") : nil
            guard let price else { return content }
            guard content.currency != nil || !fields.isPresent("$currency") else {
                note(.currencyUnknown)
                return content
            }
            let number = quantity.map { Decimal($0.millionths) / 1_000_000 } ?? 1
            guard let value = price.times(number) else { throw .tooLarge }
            content.value = value
        } catch {
            note(error == .tooLarge ? .priceTooLarge : .priceMalformed)
        }
        return content
    }

    // MARK: The rest

    private mutating func checkData() {
        for key in ["event_data", "custom_data", "commerce_data"] {
            if let value = body[key], !value.isNull, value.object == nil, value != "" { note(.dataMalformed) }
        }
        let data = RequestFields(body["event_data"]?.object ?? [:])
        if facts.standard == .search, !isVersion1, data.text("search_query") == nil { note(.searchMissing) }
        if let type = data.text("ad_type"), !["BANNER", "INTERSTITIAL", "REWARDED_VIDEO", "NATIVE"].contains(type) {
            note(.adTypeUnknown)
        }
    }
}

extension StandardEvent {
    /// Accepts current names and those of Branch's documentation before 2019.
    fileprivate init?(version2 name: String) {
        switch name {
        case "VIEW_CONTENT": self = .viewItem
        case "VIEW_CONTENT_LIST": self = .viewItems
        case "SHARE_CONTENT_ITEM": self = .share
        default: self.init(rawValue: name)
        }
    }

    /// Accepts the SDKs' names of content actions and, in lower case, of a purchase.
    fileprivate init?(version1 name: String) {
        switch name {
        case "View": self = .viewItem
        case "Add to Wishlist": self = .addToWishlist
        case "Add to Cart": self = .addToCart
        case "Purchase Started": self = .initiatePurchase
        case "Purchased", "purchase": self = .purchase
        case "Share Completed": self = .share
        default: self.init(rawValue: name)
        }
    }
}

extension RequestFields {
    /// Whether the field has a value, even an invalid one.
    fileprivate func isPresent(_ key: String) -> Bool {
        guard let value = self[key], !value.isNull else { return false }
        return value != "" && value != "bnc_no_value"
    }
}
