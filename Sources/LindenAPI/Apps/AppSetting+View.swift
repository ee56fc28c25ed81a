import Linden
import LindenKernel

extension AppSetting {
    /// A setting that an app can have.
    ///
    /// - `setting`: its name.
    /// - `type`: the allowed values, in a few words.
    /// - `default`: a description of the default; null if there is none.
    /// - `sides`: `shared` if both modes have the same value, else `each its own`.
    /// - `meaning`: one sentence.
    package var view: JSONObject {
        [
            "setting": .string(name), "type": .string(kind.summary), "default": JSON(standard),
            "sides": AppSetting.isShared(name) ? "shared" : "each its own", "meaning": .string(meaning),
        ]
    }
}
