extension Page {
    /// The page at the root of the server: confirms that it runs, and shows how to create the first link and where the documentation is.
    package static func welcome(in language: PageLanguage) -> Page {
        common(.welcomeTitle, .welcomeText, in: language) { model in
            model.parts = [
                PageModel.Part(
                    heading: language[.firstLinkTitle], explanation: language[.firstLinkText],
                    commands: """
                        linden apps create "My App" --default-url https://example.com
                        linden links create --app key_live_…
                        """),
                PageModel.Part(
                    heading: language[.documentationTitle], explanation: language[.documentationText], link: "/openapi.yaml"),
            ]
        }
    }
}
