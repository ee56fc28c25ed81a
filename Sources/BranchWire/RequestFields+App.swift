import LindenKernel

/// The app of a request, which Branch's clients name in the query, in the body, or in both.
extension RequestFields {
    package var appID: String? { text("app_id") }

    /// The fields without the ids of the app and its organization.
    package var withoutApp: RequestFields {
        RequestFields(members.without(["app_id", "organization_id"]))
    }
}
