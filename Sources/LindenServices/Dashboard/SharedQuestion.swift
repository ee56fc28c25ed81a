import Linden
import LindenKernel
import LindenReporting
import LinkRouting

/// A question about an app's figures with an address of its own, which answers it without signing in until it expires.
package struct SharedQuestion: Sendable, Equatable {
    package typealias ID = Identifier<SharedQuestion>

    package let id: ID
    package let scope: Scope
    package let title: String
    /// The question and its parameters as in the address of an HTTP call, such as `question=top&by=channel&from=30d`.
    package let query: String
    /// The name of the user who shared it; nil if the command line or an access token did.
    package let creator: String?
    package let createdAt: Timestamp
    package let expiresAt: Timestamp

    package init(
        id: ID, scope: Scope, title: String, query: String, creator: String?, createdAt: Timestamp, expiresAt: Timestamp
    ) {
        self.id = id
        self.scope = scope
        self.title = title
        self.query = query
        self.creator = creator
        self.createdAt = createdAt
        self.expiresAt = expiresAt
    }

    /// The days after which an address expires.
    package static let allowedDays = 1...90
    package static let standardDays = 30
    /// The most valid addresses of an app's side.
    package static let mostPerScope = 100
    /// The maximum length of a title in characters, and of a query in bytes.
    package static let longestTitle = 100
    package static let longestQuery = 2048
}

/// A question as it is asked: what ``SharedQuestion/query`` stands for.
package struct AskedQuestion: Sendable {
    package let question: AnalyticsQuestion
    package let parameters: AnalyticsParameters
    /// The query in canonical spelling.
    package let query: String

    /// Reads a query. Fails with `invalid` for an unknown question or parameter, and with `forbidden` for columns that may name users, since
    /// anyone with the address reads the answer.
    package init(_ query: String) throws {
        guard query.utf8.count <= SharedQuestion.longestQuery else {
            throw Failure.invalid("query must have at most \(SharedQuestion.longestQuery) bytes.")
        }
        let items = URLParts.queryItems(query).filter { !$0.value.isEmpty }
        let names = AnalyticsQuestion.allCases.map(\.rawValue).joined(separator: ", ")
        guard let question = items.first(where: { $0.name == "question" }).flatMap({ AnalyticsQuestion(rawValue: $0.value) }) else {
            throw Failure.invalid(
                "query must have question=, one of \(names), and the parameters of that call, such as by=channel.")
        }
        let allowed = question.parameters.filter { $0 != "app" } + ["question"]
        var seen: Set<String> = []
        for item in items {
            guard allowed.contains(item.name) else {
                throw Failure.invalid(
                    "query has \(item.name), which is not a parameter of \(question.rawValue). The parameters are "
                        + "\(allowed.joined(separator: ", ")).")
            }
            guard seen.insert(item.name).inserted || AnalyticsParameters.repeatable.contains(item.name) else {
                throw Failure.invalid("query may have \(item.name) once.")
            }
        }
        self.question = question
        parameters = try AnalyticsParameters(items)
        try parameters.checkNamesNoUsers()
        self.query = items.map { "\($0.name)=\(PercentCoding.encodeQueryValue($0.value))" }.joined(separator: "&")
    }
}
