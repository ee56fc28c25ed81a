import BranchWire
import Linden
import LindenKernel
import Testing

@Suite struct CreateLinkRequestTests {
    private static func link(_ fields: JSONObject) throws -> NewLink {
        try CreateLinkRequest(RequestFields(fields)).newLink(PublicIDs(key: InstallationKey(high: 1, low: 2)))
    }

    @Test func nullIsAsGoodAsNothing() throws {
        let link = try Self.link([
            "channel": nil, "alias": nil, "tags": nil, "data": nil, "type": nil, "duration": nil, "identity": nil,
        ])
        #expect(link.labels == Labels())
        #expect(link.alias == nil)
        #expect(link.kind == .standard)
        #expect(link.data.isEmpty)
    }

    private static let kinds: [(value: JSON, kind: Link.Kind)] = [
        (0, Link.Kind.standard), (1, .oneTimeUse), (2, .marketing), ("1", .oneTimeUse), ("", .standard),
    ]

    @Test(arguments: kinds)
    func aTypeIsANumberOrItsText(value: JSON, kind: Link.Kind) throws {
        #expect(try Self.link(["type": value]).kind == kind)
    }

    @Test func oneTagAloneIsATag() throws {
        #expect(try Self.link(["tags": "a"]).labels.tags == ["a"])
        #expect(try Self.link(["tags": ["a", 1, ""]]).labels.tags == ["a", "1"])
    }

    @Test func theNewerPlaceForLabelsIsReadToo() throws {
        let link = try Self.link(["channel": "mail", "analytics": ["~channel": "sms", "~campaign": "harvest", "ad_name": "x"]])
        #expect(link.labels.channel == "mail")
        #expect(link.labels.campaign == "harvest")
        #expect(link.data["~ad_name"] == "x")
    }

    private static let sources: [(fields: JSONObject, source: Link.CreationSource)] = [
        (["source": "ios"], Link.CreationSource.ios), (["source": "android"], .android), (["sdk": "web2.84.0"], .web),
        (["sdk": "api"], .api), ([:], .api), (["sdk": "native"], .sdk),
    ]

    @Test(arguments: sources)
    func aLinkRemembersWhoMadeIt(fields: JSONObject, source: Link.CreationSource) throws {
        #expect(try Self.link(fields).source == source)
    }
}
