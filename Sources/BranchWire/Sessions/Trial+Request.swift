import Linden

extension Trial {
    /// What the SDKs send when the whole app takes the place of its App Clip (iOS, where both share an app group) or of its instant app
    /// (Android, by the install referrer). Nil for any other opening.
    init?(_ body: RequestFields, _ ids: PublicIDs) {
        let device: Device.ID? = body.text("app_clip_randomized_device_token").flatMap { ids.id(for: $0) }
        let identity: Identity.ID? = body.text("app_clip_randomized_bundle_token").flatMap { ids.id(for: $0) }
        guard device != nil || body.text("app_clip_bundle_id") != nil || body.flag("is_full_app_conversion") else { return nil }
        self.init(device: device, identity: identity)
    }
}
