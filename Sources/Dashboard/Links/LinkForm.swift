import BranchWire
import Linden
import LindenAPI
import LindenKernel
import LindenServices

/// The form for a link, which is the same for a new one and for a change.
///
/// Its fields are named as in the management API, those of the data by their keys, so that a message about one is shown at its field.
struct LinkForm {
    /// The keys of the link's data that have a field of their own.
    private static let keys = cardKeys + destinationKeys
    private static let cardKeys: [(key: String, label: String, hint: String?)] = [
        ("$og_title", "Title", "Shown in previews, and in these lists."),
        ("$og_description", "Description", nil),
        ("$og_image_url", "Picture", "Its web address. Shown in previews."),
    ]
    private static let destinationKeys: [(key: String, label: String, hint: String?)] = [
        ("$deeplink_path", "Path in the app", "What the app opens, such as apples/cox."),
        ("$fallback_url", "Web address without the app", "Where phones without the app are led. Empty: the app's store."),
        ("$desktop_url", "Web address on a desktop", nil),
    ]
    /// The labels, with the UTM parameters that they become on the link's web pages.
    private static let labels: [(name: String, label: String, parameter: String?)] = [
        ("channel", "Channel", "utm_source"), ("campaign", "Campaign", "utm_campaign"), ("feature", "Feature", "utm_medium"),
        ("stage", "Stage", nil),
    ]

    /// The texts of the fields by their names.
    private(set) var values: [String: String]
    /// The template that a new link begins with: its data has keys without a field.
    private(set) var template: LinkTemplate?
    /// The link that a new one is like: it has data and limits without a field.
    private(set) var like: Link?

    init() {
        values = [:]
    }

    /// The fields as they were typed.
    ///
    /// - Parameters:
    ///   - template: the template that the form began with.
    ///   - like: the link that it began with.
    init(typed form: FormFields, template: LinkTemplate? = nil, like: Link? = nil) {
        self.template = template
        self.like = like
        let names =
            ["name", "alias", "tags", "folder", "expires_at", "max_clicks"] + Self.keys.map(\.key) + Self.labels.map(\.name)
        values = Dictionary(uniqueKeysWithValues: names.map { ($0, form[$0]) })
    }

    /// The fields of a template.
    init(_ template: LinkTemplate) {
        values = ["name": template.name]
        self.template = template
        set(template.labels, template.data)
    }

    /// The fields of a stored link.
    init(_ link: Link) {
        values = [:]
        set(link.labels, link.data)
        values["folder"] = link.folder
        values["expires_at"] = (link.limits.expiresAt?.iso8601).map { String($0.prefix(16)) }
        values["max_clicks"] = link.limits.maxClicks.map { String($0) }
    }

    /// The fields of a new link like another one.
    init(like link: Link) {
        self.init(link)
        like = link
    }

    private mutating func set(_ labels: Labels, _ data: JSONObject) {
        for (key, _, _) in Self.keys { values[key] = data[key]?.scalarText ?? "" }
        values["channel"] = labels.channel
        values["campaign"] = labels.campaign
        values["feature"] = labels.feature
        values["stage"] = labels.stage
        values["tags"] = labels.tags.joined(separator: ", ")
    }

    /// - Parameters:
    ///   - retryKey: the same for each time that a new link's form is sent, so that a double click creates one link.
    ///   - namesParameters: whether labels become UTM parameters, see ``AppSettings/passesLabelsOn``.
    func form(
        _ action: String, submit: String, cancel: String, retryKey: String? = nil,
        offering suggestions: LinkSuggestions = LinkSuggestions(), namesParameters: Bool
    ) -> Form {
        var fields = retryKey.map { [Field.hidden("retry_key", $0)] } ?? []
        if let template { fields.append(.hidden("template", template.name)) }
        if let like { fields.append(.hidden("like", "\(like.id)")) }
        fields += [.heading("What it shows")] + texts(Self.cardKeys)
        fields += [.heading("Where it leads")] + texts(Self.destinationKeys)
        if retryKey != nil {
            fields.append(.text("alias", "Path of the link", value("alias"), hint: "Such as spring/sale. Empty: a random one."))
        }
        fields += labelFields(offering: suggestions, namesParameters: namesParameters)
        fields += [
            Field.text("folder", "Folder", value("folder"), hint: "Links in one folder are listed together.")
                .offering(suggestions["folder"]),
            .heading("When it ends"),
            .text("expires_at", "Expires at (UTC)", value("expires_at"), type: "datetime-local", hint: "Empty: never."),
            .text("max_clicks", "Clicks until it expires", value("max_clicks"), type: "number", hint: "Empty: no limit."),
        ]
        var form = Form(action, submit: submit, cancel: cancel, fields)
        form.previewHref = action + "/preview"
        return form
    }

    /// The form of a template: the fields of a link that several links may share.
    func templateForm(_ action: String, offering suggestions: LinkSuggestions, namesParameters: Bool) -> Form {
        var form = Form(
            action, submit: "Save the template",
            [
                .text(
                    "name", "Name", value("name"), hint: "Such as Newsletter. One with the same name is replaced.", isRequired: true
                )
            ]
                + labelFields(offering: suggestions, namesParameters: namesParameters)
                + [.heading("What it shows")] + texts(Self.cardKeys) + [.heading("Where it leads")] + texts(Self.destinationKeys))
        if let template { form.fields.append(.hidden("template", template.name)) }
        return form
    }

    private func texts(_ keys: [(key: String, label: String, hint: String?)]) -> [Field] {
        keys.map { key, label, hint in
            .text(key, label, value(key), type: key.hasSuffix("_url") ? "url" : "text", hint: hint)
        }
    }

    private func labelFields(offering suggestions: LinkSuggestions, namesParameters: Bool) -> [Field] {
        [.heading("What it is counted by")]
            + Self.labels.map { name, label, parameter in
                let hint = parameter.flatMap { namesParameters ? "\($0) on web pages." : nil }
                return .text(name, label, value(name), hint: hint).offering(suggestions[name])
            } + [.text("tags", "Tags", value("tags"), hint: "Separated by commas.")]
    }

    private func value(_ name: String) -> String { values[name] ?? "" }

    /// Whether the fields have exactly these labels.
    func has(_ labels: Labels) -> Bool {
        let stored = [labels.channel, labels.campaign, labels.feature, labels.stage].map { $0 ?? "" }
        return (Self.labels.map { value($0.name) } + tags).elementsEqual(stored + labels.tags) { $0.hasSameBytes(as: $1) }
    }

    // MARK: What the fields say

    private var tags: [String] {
        value("tags").split(separator: ",").map(\.trimmed).filter { !$0.isEmpty }
    }

    /// The members of a call that creates the link. `expires_at` has minutes and no zone: it is in UTC.
    var members: RequestFields {
        var members: JSONObject = ["type": .integer((like?.kind ?? .marketing).rawValue)]
        for name in ["alias", "folder", "max_clicks"] + Self.labels.map(\.name) where !value(name).isEmpty {
            members[name] = .string(value(name))
        }
        if !value("expires_at").isEmpty { members["expires_at"] = .string(expiry) }
        if let duration = like?.duration { members["duration"] = .integer(duration) }
        if let url = like?.limits.expiredURL { members["expired_url"] = .string(url) }
        if !tags.isEmpty { members["tags"] = .array(tags.map(JSON.string)) }
        members["data"] = .object(data)
        return RequestFields(members)
    }

    /// The data of the fields, and what the template or the other link has besides.
    private var data: JSONObject {
        let keys = Set(Self.keys.map(\.key))
        var data = (like?.data ?? template?.data ?? [:]).filter { key, value in !keys.contains(key) && !value.isNull }
        for (key, _, _) in Self.keys where !value(key).isEmpty { data[key] = .string(value(key)) }
        return data
    }

    /// Returns the template to store. Fails with `invalid` and the name of the field.
    func newTemplate() throws -> LinkTemplate {
        var members = self.members.members.filter { name, _ in LinkTemplate.members.contains(name) }
        if !value("name").isEmpty { members["name"] = .string(value("name")) }
        return try LinkTemplate(RequestFields(members))
    }

    private var expiry: String {
        let text = value("expires_at")
        return text.utf8.count == 16 ? text + ":00Z" : text
    }

    /// Returns the link to create. Fails with `invalid` and the name of the field.
    func newLink(_ publicIDs: PublicIDs, retryKey: String) throws -> NewLink {
        var link = try CreateLinkRequest(members, isManaged: true).newLink(publicIDs)
        link.isAuthenticated = true
        link.requestKey = RequestKey(text: "dashboard/links " + retryKey.prefix(64))
        return link
    }

    /// Returns what the fields change in a link. A label whose field was emptied is removed; a key of the data becomes null, which counts as
    /// absent. Fails with `invalid` and the name of the field.
    func changes(of link: Link) throws -> LinkChanges {
        let fields = members
        let (before, labels) = (LinkForm(link), link.labels)
        var data: JSONObject = [:]
        for (key, _, _) in Self.keys where !value(key).hasSameBytes(as: before.value(key)) {
            data[key] = value(key).isEmpty ? .null : .string(value(key))
        }
        func label(_ name: String, _ stored: String?) -> FieldUpdate<String> {
            if value(name).hasSameBytes(as: stored ?? "") { return .keep }
            return FieldUpdate(value(name).isEmpty ? nil : value(name))
        }
        let (isSameTime, isSameCount) = (
            value("expires_at") == before.value("expires_at"), value("max_clicks") == before.value("max_clicks")
        )
        return LinkChanges(
            channel: label("channel", labels.channel), feature: label("feature", labels.feature),
            campaign: label("campaign", labels.campaign), stage: label("stage", labels.stage),
            tags: tags.elementsEqual(labels.tags) { $0.hasSameBytes(as: $1) } ? nil : tags, folder: label("folder", link.folder),
            expiresAt: isSameTime ? .keep : FieldUpdate(try fields.time("expires_at").value),
            maxClicks: isSameCount ? .keep : FieldUpdate(try fields.integer("max_clicks")), data: data)
    }
}
