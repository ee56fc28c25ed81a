import Linden
import LindenKernel
import LindenServices

extension SharedQuestion {
    /// A shared question, without its address.
    ///
    /// - `share_id`: its id, a string.
    /// - `title`: its title.
    /// - `query`: the question and its parameters, such as `question=top&by=channel`.
    /// - `created_by`: the name of the user of the dashboard who shared it; null if the command line or an access token did.
    /// - `created_at` and `expires_at`: times in ISO 8601, UTC.
    package var view: JSONObject {
        [
            "share_id": .string(String(id.rawValue)),
            "title": .string(title),
            "query": .string(query),
            "created_by": JSON(creator),
            "created_at": .string(createdAt.iso8601),
            "expires_at": .string(expiresAt.iso8601),
        ]
    }

    /// The view of a question that was shared just now.
    ///
    /// - `url`: the address that answers it, shown only here.
    package func view(secret: String, on baseURL: BaseURL) -> JSONObject {
        view.merging(["url": .string(baseURL.text + Self.path(secret))])
    }

    /// Returns the path that answers a question.
    package static func path(_ secret: String) -> String { "/dashboard/shared/" + secret }
}
