import LindenKernel
import LinkRouting

extension Click {
    /// Returns the click as a pending one; unchanged if it is a robot's, on an OS without apps, or does not lead to the app.
    func pending(leadingTo destination: Destination, language: String?, window: Duration, appendedHash: String?) -> Click {
        guard visitor.robot == nil, destination.canOpenApp, visitor.os != nil, !address.isEmpty, window > .zero else { return self }
        var click = self
        click.language = language
        click.matchSeconds = window.components.seconds
        click.appendedHash = appendedHash
        return click
    }
}
