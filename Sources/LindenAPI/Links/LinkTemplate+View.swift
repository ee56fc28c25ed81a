import Linden
import LindenKernel
import LindenServices

extension LinkTemplate {
    /// A template of links.
    ///
    /// - `name`: its name.
    /// - `channel`, `feature`, `campaign`, `stage`: the labels; null for none.
    /// - `tags`: an array of strings.
    /// - `data`: the data, an object.
    package var view: JSONObject { labels.view(ofTemplate: name).merging(["data": .object(data)]) }
}

extension LinkTemplateSummary {
    /// A template as ``LinkTemplate/view``, without its data.
    package var view: JSONObject { labels.view(ofTemplate: name) }
}

extension Labels {
    fileprivate func view(ofTemplate name: String) -> JSONObject {
        [
            "name": .string(name), "channel": JSON(channel), "feature": JSON(feature), "campaign": JSON(campaign),
            "stage": JSON(stage), "tags": JSON(tags),
        ]
    }
}
