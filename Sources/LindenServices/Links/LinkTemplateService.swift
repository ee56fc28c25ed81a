import Linden
import LindenKernel

/// A service that keeps the templates of links of an app's side.
package struct LinkTemplateService: Sendable {
    let storage: any Database
    let sizes: LinkSizeLimits

    /// Returns the templates in the order of their names.
    package func list(_ scope: Scope) async throws -> [LinkTemplate] {
        try await storage.analyze(scope) { try $0.linkTemplates(in: scope) }
    }

    /// Returns the templates without their data, in the order of their names.
    package func summaries(_ scope: Scope) async throws -> [LinkTemplateSummary] {
        try await storage.read { try $0.linkTemplateSummaries(in: scope) }
    }

    /// Returns the names of the templates in their order.
    package func names(_ scope: Scope) async throws -> [String] {
        try await storage.read { try $0.linkTemplateNames(in: scope) }
    }

    /// Returns a template; nil if there is none with the name.
    package func find(_ name: String, in scope: Scope) async throws -> LinkTemplate? {
        try await storage.read { try $0.linkTemplate(name, in: scope) }
    }

    /// Returns a template. Fails with `notFound`.
    package func template(_ name: String, in scope: Scope) async throws -> LinkTemplate {
        guard let template = try await find(name, in: scope) else { throw Failure.noSuchTemplate(name) }
        return template
    }

    /// Stores a template in place of one with the same name. Fails with `invalid` as ``LinkTemplate/check(_:)`` does and for a URL that no
    /// link of the app could have, and with `conflict` beyond ``LinkTemplate/mostPerScope`` and ``LinkTemplate/mostBytesPerScope``. The app's
    /// settings may change: they are obeyed again when a link is created with the template.
    package func save(_ template: LinkTemplate, in scope: Scope) async throws {
        try template.check(sizes)
        let bytes = template.storedBytes
        try await storage.write { transaction in
            try transaction.appContext(scope: scope, withRoutes: false)?.checkRedirects(of: template.data)
            let others = try transaction.linkTemplateUsage(in: scope, except: template.name)
            guard others.count < LinkTemplate.mostPerScope else {
                throw Failure(
                    .conflict, "An app's side may have \(LinkTemplate.mostPerScope) templates. Delete one that is not needed.")
            }
            guard others.bytes + bytes <= LinkTemplate.mostBytesPerScope else {
                throw Failure.templatesTooLarge(others.bytes + bytes)
            }
            try transaction.save(template, in: scope, at: transaction.now)
        }
    }

    /// Deletes a template. Links that were created with it stay as they are. Fails with `notFound`.
    package func delete(_ name: String, in scope: Scope) async throws {
        try await storage.write { transaction in
            guard try transaction.deleteLinkTemplate(name, in: scope) else { throw Failure.noSuchTemplate(name) }
        }
    }
}

extension Failure {
    fileprivate static func noSuchTemplate(_ name: String) -> Failure {
        .notFound("The app has no template named \(name.prefix(LinkTemplate.longestName)).")
    }

    fileprivate static func templatesTooLarge(_ bytes: Int) -> Failure {
        Failure(
            .conflict,
            """
            The templates of an app's side may have at most \(LinkTemplate.mostBytesPerScope) bytes of data and tags in all, not \(bytes). \
            Delete one that is not needed.
            """)
    }
}

package protocol LinkTemplateReader {
    /// Returns the templates of an app's side in the order of their names.
    func linkTemplates(in scope: Scope) throws -> [LinkTemplate]
    /// Returns the templates without their data, in the order of their names. No data is parsed.
    func linkTemplateSummaries(in scope: Scope) throws -> [LinkTemplateSummary]
    func linkTemplateNames(in scope: Scope) throws -> [String]
    func linkTemplate(_ name: String, in scope: Scope) throws -> LinkTemplate?
    /// Returns the number of an app's side's templates and their ``LinkTemplate/storedBytes``, but for the template with a name.
    func linkTemplateUsage(in scope: Scope, except name: String) throws -> (count: Int, bytes: Int)
}

package protocol LinkTemplateRepository: LinkTemplateReader {
    /// Inserts a template, or replaces the one with its name.
    func save(_ template: LinkTemplate, in scope: Scope, at time: Timestamp) throws
    /// Returns false if there is no such template.
    func deleteLinkTemplate(_ name: String, in scope: Scope) throws -> Bool
}
