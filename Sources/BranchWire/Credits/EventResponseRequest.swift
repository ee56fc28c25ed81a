import LindenKernel
import LindenLedger

/// A request of `POST /v1/eventresponse`: the action that an event triggers. Of Branch's actions, credits are supported and webhooks are
/// not.
package enum EventResponseRequest {
    package static func rule(_ fields: RequestFields) throws -> NewRewardRule {
        switch fields.text("type") {
        case "credit": break
        case "web_hook":
            throw Failure.invalid("type web_hook cannot be served: webhooks are not supported. Use type credit.")
        default: throw Failure.invalid("type must be credit.")
        }
        guard let event = fields.text("event") else { throw Failure.invalid("event is missing.") }
        guard let metadata = try fields.object("metadata").map(RequestFields.init) else {
            throw Failure.invalid("metadata is missing: an object with amount and, if it is not default, bucket.")
        }
        var rule = NewRewardRule(
            event: event, recipient: try recipient(fields),
            amount: try CreditAmount(try metadata.integer("amount"), name: "metadata.amount"))
        rule.bucket = try metadata.bucket
        rule.isFirstOnly = try isFirstOnly(fields)
        rule.filter = try fields.object("filter") ?? [:]
        return rule
    }

    private static func isFirstOnly(_ fields: RequestFields) throws -> Bool {
        switch fields.text("calculation_type") {
        case "0": false
        case "1": true
        default: throw Failure.invalid("calculation_type must be 0 (every time) or 1 (the first time only).")
        }
    }

    private static func recipient(_ fields: RequestFields) throws -> RewardRule.Recipient {
        switch fields.text("location") {
        case "0": .actor
        case "1": .referrer
        case "4": .actorIfReferred
        default:
            throw Failure.invalid("location must be 0 (the user who acts), 1 (the referrer) or 4 (the user, if referred).")
        }
    }
}
