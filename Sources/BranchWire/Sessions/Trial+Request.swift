import Linden
import LindenKernel

extension LiteApp {
    /// Parses the fields that SDKs send when the full app replaces its App Clip (iOS, where both share an app group) or its instant app
    /// (Android, by the install referrer). Returns nil for any other launch.
    init?(_ body: RequestFields, _ ids: PublicIDs) {
        let device: Device.ID? = body.text("app_clip_randomized_device_token").flatMap { ids.id(for: $0) }
        let identity: Identity.ID? = body.text("app_clip_randomized_bundle_token").flatMap { ids.id(for: $0) }
        guard device != nil || body.text("app_clip_bundle_id") != nil || body.flag("is_full_app_conversion") else { return nil }
        self.init(device: device, identity: identity)
    }
}
