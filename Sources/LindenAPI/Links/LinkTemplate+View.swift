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
    package var view: JSONObject {
        [
            "name": .string(name), "channel": JSON(labels.channel), "feature": JSON(labels.feature),
            "campaign": JSON(labels.campaign), "stage": JSON(labels.stage), "tags": JSON(labels.tags), "data": .object(data),
        ]
    }
}

extension LinkTemplateSummary {
    /// A template as ``LinkTemplate/view``, without its data.
    package var view: JSONObject {
        [
            "name": .string(name), "channel": JSON(labels.channel), "feature": JSON(labels.feature),
            "campaign": JSON(labels.campaign), "stage": JSON(labels.stage), "tags": JSON(labels.tags),
        ]
    }
}
