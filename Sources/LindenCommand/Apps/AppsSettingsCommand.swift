import ArgumentParser
import Linden
import LindenAPI
import LindenKernel

struct AppsSettingsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "settings", abstract: "List all settings that an app can have, with type, default and meaning.",
        discussion: """
            Set one with `linden apps update APP --set NAME=VALUE`, and remove it with `--set NAME=`. `linden apps show APP` shows \
            the settings of an app.
            """)

    @OptionGroup var common: CommonOptions

    func run() {
        Output(format: common.format).list(AppSetting.all.map(\.view), empty: "There are no settings.")
    }
}
