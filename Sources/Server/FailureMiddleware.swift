import BranchWire
import HTTPTypes
import Hummingbird
import LindenKernel
import LinkRouting
import Logging
import Pages

/// Middleware that converts errors to responses: JSON for API paths and JSON clients, a page for browsers.
struct FailureMiddleware: RouterMiddleware {
    func handle(
        _ request: Request, context: LindenContext, next: (Request, LindenContext) async throws -> Response
    ) async throws -> Response {
        let response = try await answer(request, context, next)
        // A body after HEAD would be parsed as the next response.
        return request.method == .head ? response.createHeadResponse() : response
    }

    private func answer(
        _ request: Request, _ context: LindenContext, _ next: (Request, LindenContext) async throws -> Response
    ) async throws -> Response {
        do {
            try Self.check(request)
            return try await next(request, context)
        } catch {
            return Response(Self.answer(error, to: request, logger: context.logger))
        }
    }

    /// Maximum bytes of the request target and of all headers: far more than any SDK sends, but still cheap to parse.
    static let longestTarget = 64 * 1024

    static let longestHeaders = 64 * 1024

    /// Maximum bytes of the path: more than the longest alias, percent-encoded. A visit is decided on the event loop, where others wait for it.
    static let longestPath = 16 * 1024

    /// Fails for an address, a path or headers that are too large, and for an address with too many combining marks in a row.
    static func check(_ request: Request) throws {
        guard (request.head.path?.utf8.count ?? 0) <= Self.longestTarget else {
            throw HTTPError(.uriTooLong, message: "The address may have at most \(Self.longestTarget) bytes.")
        }
        guard (request.head.path ?? "").utf8.prefix(while: { $0 != UInt8(ascii: "?") }).count <= Self.longestPath else {
            throw HTTPError(.uriTooLong, message: "The path of the address may have at most \(Self.longestPath) bytes.")
        }
        guard !CombiningMarks.hasLongRun(percentEncoded: request.head.path ?? "") else {
            throw HTTPError(
                .badRequest, message: "The address may have at most \(CombiningMarks.longestRun) combining marks in a row.")
        }
        let headers = request.headers.reduce(0) { $0 + $1.name.rawName.utf8.count + $1.value.utf8.count }
        guard headers <= Self.longestHeaders else {
            throw HTTPError(
                .requestHeaderFieldsTooLarge, message: "The headers may have at most \(Self.longestHeaders) bytes together.")
        }
    }

    /// Returns the response to an error. Errors other than ``Failure`` and `HTTPError` are logged and get status 500.
    static func answer(_ error: any Error, to request: Request, logger: Logger) -> BufferedResponse {
        switch error {
        case let failure as Failure: return answer(failure, to: request)
        case is CancellationError: return answer(Failure.cancelled, to: request)
        case let error as HTTPError: return answer(error, to: request)
        default:
            logger.error("A request failed.", metadata: ["path": "\(request.loggedPath)", "error": "\(error)"])
            let failure = ErrorResponse(status: 500, message: "Internal error. The server's log has details.")
            return isForAPI(request)
                ? .json(failure.json, status: .internalServerError)
                : .html(.failure(.tryAgain, in: request.pageLanguage), status: .internalServerError)
        }
    }

    private static func answer(_ failure: Failure, to request: Request) -> BufferedResponse {
        isForAPI(request) ? failure.answer : failure.page(in: request.pageLanguage)
    }

    private static func answer(_ error: HTTPError, to request: Request) -> BufferedResponse {
        let message = error.body ?? error.status.reasonPhrase
        if error.status == .notFound && !isForAPI(request) { return .html(.notFound(in: request.pageLanguage), status: .notFound) }
        return isForAPI(request)
            ? .json(ErrorResponse(status: error.status.code, message: message).json, status: error.status)
            : .html(.failure(english: message, in: request.pageLanguage), status: error.status)
    }

    private static func isForAPI(_ request: Request) -> Bool {
        if request.wantsPage { return false }
        return request.prefersJSON || (request.method != .get && request.method != .head) || Routes.isAPI(path: request.rawPath)
    }
}

extension Request {
    /// The beginning of the path, which names the call. What follows may hold a credential or a user's name.
    fileprivate var loggedPath: String {
        let parts = rawPath.split(separator: "/")
        return "/" + parts.prefix(parts.first == "api" ? 3 : 2).joined(separator: "/")
    }
}
