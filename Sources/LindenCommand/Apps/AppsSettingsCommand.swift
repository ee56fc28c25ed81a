import ArgumentParser
import Linden

struct AppsSettingsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "settings", abstract: "List every setting that an app can have: its type, its default and what it does.",
        discussion: """
            Set one with `linden apps update APP --set NAME=VALUE`, and remove it with `--set NAME=`. `linden apps show APP` shows those \
            that an app has.
            """)

    @OptionGroup var common: CommonOptions

    func run() {
        Output(format: common.format).list(
            AppSetting.all.map { setting in
                [
                    "setting": .string(setting.name), "type": .string(setting.kind.summary), "default": JSON(setting.standard),
                    "sides": AppSetting.isShared(setting.name) ? "shared" : "each its own", "meaning": .string(setting.meaning),
                ]
            }, empty: "There are no settings.")
    }
}
