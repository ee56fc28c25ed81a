import Linden
import LindenKernel
import LindenReporting

extension Database {
    /// Visits the completed requests of a scope that still contain ids of data subjects. Reads them in portions, never in the writer: an
    /// app may have thousands, each with many ids.
    func forEachCompletedSubjectRequest(of scope: Scope, _ body: (SubjectRequest) async throws -> Void) async throws {
        let limit = 100
        var last: SubjectRequest.ID?
        while true {
            let page = try await analyze(scope) { [last] in try $0.completedSubjectRequests(of: scope, after: last, limit: limit) }
            for request in page { try await body(request) }
            guard page.count == limit else { return }
            last = page.last?.id
        }
    }
}
