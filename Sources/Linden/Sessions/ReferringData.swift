import LindenKernel
import LinkRouting

/// The parameters that an app's SDK hands to the app: the link's own data and those the click adds (Branch's deep-link reference, "what a
/// session gets").
package enum ReferringData {
    /// Returns the parameters of an app opened without a link. The keys `+clicked_branch_link` and `+is_first_session` are always present.
    package static func organic(isFirstSession: Bool, foreignURL: String?) -> JSONObject {
        var data: JSONObject = ["+clicked_branch_link": false, "+is_first_session": .bool(isFirstSession)]
        if let foreignURL { data["+non_branch_link"] = .string(foreignURL) }
        return data
    }

    /// Returns the parameters of an app whose launch is attributed to an App Store search ad: Apple's labels, and no link.
    package static func advertised(by ad: Evidence.SearchAdAttribution, isFirstSession: Bool, foreignURL: String?) -> JSONObject {
        var data = ad.labels.merging(organic(isFirstSession: isFirstSession, foreignURL: foreignURL))
        data["+match_guaranteed"] = true
        return data
    }

    package static func referred(by referral: Referral, isFirstSession: Bool) -> JSONObject {
        var data = touch(referral)
        data["+match_guaranteed"] = .bool(referral.isGuaranteed)
        data["+clicked_branch_link"] = true
        data["+is_first_session"] = .bool(isFirstSession)
        return data
    }

    /// Returns the data of the link and its click, without the session's own keys.
    package static func touch(_ referral: Referral) -> JSONObject {
        let link = referral.link
        var data = link.data
        for (name, value) in link.labels.members { data["~" + name] = value }
        if link.hasAlias { data["~alias"] = .string(link.address.path) }
        if let duration = link.duration { data["~duration"] = .integer(duration) }
        merge(referral.query, into: &data)
        if data["$one_time_use"] == nil { data["$one_time_use"] = .bool(link.isOneTimeUse) }
        data["~id"] = .string(String(link.id.rawValue))
        data["~creation_source"] = .integer(link.source.rawValue)
        data["~referring_link"] = .string(referral.url)
        data["+url"] = .string(referral.url)
        data["+click_timestamp"] = .integer(referral.click.time.seconds)
        if let phone = referral.phone { data["+phone_number"] = .string(phone.text) }
        if let referrer = referral.referrer { data["+referrer"] = .string(referrer) }
        return data
    }

    /// Adds the items appended to the link when it was clicked. Values are text; labels count with or without their tilde. Keys that Branch
    /// drops and keys that Linden sets itself are skipped.
    private static func merge(_ query: [QueryItem], into data: inout JSONObject) {
        let tags = query.filter { ["tags", "tags[]", "~tags", "~tags[]"].contains($0.name.ifASCII) }.map(\.value)
        if !tags.isEmpty { data["~tags"] = JSON(tags) }
        for item in query {
            switch item.name.ifASCII {
            case "channel", "feature", "campaign", "stage": data["~" + item.name] = .string(item.value)
            case "tags", "tags[]", "~tags", "~tags[]": continue
            case _ where LinkQuery.isDropped(item.name): continue
            default: data[item.name] = .string(item.value)
            }
        }
    }
}
