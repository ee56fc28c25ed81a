import Linden

/// Branch's clients name the app in the query, in the body, or in both.
extension RequestFields {
    package var appID: String? { text("app_id") }

    /// Without the names of the app and its organization.
    package var withoutApp: RequestFields {
        RequestFields(members.filter { name, _ in name != "app_id" && name != "organization_id" })
    }
}
