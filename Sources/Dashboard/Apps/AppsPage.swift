import Linden
import LindenKernel
import LindenServices

/// The start page: the apps that a user may see.
extension Dashboard {
    func appsPage(_ page: PageRequest) async throws -> DashboardAnswer {
        let user = try page.user
        let apps = try await services.apps.list(only: user.app)
        let showsTotals = Access.reportReaders.admits(user.role)
        let rows = apps.map { summary in
            let live = Scope(app: summary.app.id, mode: .live)
            return [
                Cell(summary.app.name, href: showsTotals ? PagePath.app(live) : PagePath.links(live)),
                Cell(summary.domains.map(\.host).joined(separator: ", ").shortened),
                Cell.time(summary.app.createdAt.iso8601),
            ]
        }
        let mayCreate = Access.administrators.admits(user)
        let list: Block =
            rows.isEmpty
            ? Block(
                empty: EmptyState(
                    emptyTitle: "No app yet",
                    emptyText: "An app has the settings and the links of one of your products. Create it here, or with:",
                    emptyCommand: "linden apps create Orchard --default-url https://orchard.example.com/",
                    emptyHref: mayCreate ? PagePath.newApp : nil, emptyAction: mayCreate ? "Create the first app" : nil))
            : Block(
                table: Table(
                    "Apps", [.init(columnLabel: "App"), .init(columnLabel: "Domains"), .init(columnLabel: "Created")], rows))
        let everywhere = Form(PagePath.signOutEverywhere, submit: "Sign out in all browsers", isDangerous: true, [])
        let buttons: [Block] =
            mayCreate ? [.buttons([Button(buttonLabel: "Create an app", buttonHref: PagePath.newApp)])] : []
        return PageView(
            "Apps",
            buttons + [
                list, Block(equivalents: Equivalents(command: "linden apps list", call: "GET /api/v1/apps")),
                .heading("Your sessions"),
                .paragraph(
                    "A session ends after 12 hours without use. If another person may have used your account, end all of them."),
                Block(form: everywhere),
                Block(
                    keys: "Keys: / goes to the search, c to the form for a new link, the arrows from row to row of a table."),
            ]
        ).with(user).answer()
    }
}
