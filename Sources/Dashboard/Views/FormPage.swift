import Linden
import LindenKernel
import LindenServices
import LinkRouting

extension Dashboard {
    /// Returns a page of an app with one form; after a failed attempt with its message, at its field if it is about one.
    ///
    /// - Parameters:
    ///   - section: the path of the section that the page belongs to.
    ///   - blocks: what is above the form.
    ///   - others: what is below it.
    func formPage(
        _ page: PageRequest, _ title: String, lead: String? = nil, _ form: Form, _ failure: Failure? = nil, section: String,
        after blocks: [Block] = [], following others: [Block] = []
    ) throws -> DashboardAnswer {
        let (app, user) = (try page.app, try page.user)
        return PageView(title, lead: lead, isNarrow: true, blocks + [Block].form(form, failure) + others)
            .of(app, user, section: section)
            .answer(failure.map { .failed($0.code) } ?? .found)
    }

    /// Runs an action once the name that a confirmation asks for is typed; otherwise shows the confirmation again.
    func confirmed(
        _ page: PageRequest, _ confirmation: Confirmation, title: String, section: String,
        _ action: () async throws -> DashboardAnswer
    ) async throws -> DashboardAnswer {
        let typed = page.form["confirmation"]
        guard typed == confirmation.name.trimmed else {
            let form = confirmation.form(typed: typed).saying("This is not \(confirmation.label).", at: "confirmation")
            return try formPage(page, title, form, Failure.invalid(""), section: section)
        }
        do {
            return try await action()
        } catch let failure as Failure where failure.isAboutInput {
            return try formPage(page, title, confirmation.form(typed: typed), failure, section: section)
        }
    }
}

/// A form for an act that cannot be undone, which asks for the name of what it affects.
struct Confirmation: Sendable, Equatable {
    let action: String
    let submit: String
    let cancel: String
    /// The name to type.
    let name: String
    /// What the name is, such as `the domain`.
    let label: String
    /// What the act does, in one or two sentences.
    let consequence: String
    var fields: [Field] = []

    func form(typed: String = "") -> Form {
        Form(
            action, submit: submit, isDangerous: true, cancel: cancel,
            fields + [
                .text(
                    "confirmation", label.prefix(1).uppercased() + label.dropFirst(), typed,
                    hint: "\(consequence) To confirm, type \(name.trimmed)", isRequired: true, hasFocus: true)
            ])
    }
}

extension [Block] {
    /// A form; after a failed attempt with its message, at its field if it is about one.
    static func form(_ form: Form, _ failure: Failure? = nil) -> [Block] {
        guard let failure, !failure.message.isEmpty else { return [Block(form: form)] }
        return form.saying(failure).map { [Block(form: $0)] } ?? [.problem(failure.message), Block(form: form)]
    }
}

extension Failure {
    /// Whether the fields of a form can be changed so that the next attempt succeeds.
    var isAboutInput: Bool { [.invalid, .conflict, .tooLarge, .insufficient].contains(code) }
}

extension PageRequest {
    /// The value of a form's hidden field `retry_key`, the same for each time that the form is sent, as a key of its user.
    var retryKey: String? {
        get throws {
            let user = try self.user
            return form.text("retry_key").map { "dashboard \(user.id) \($0.prefix(64))" }
        }
    }
}

extension Field {
    /// A hidden field by which a form that is sent twice, as by a double click, takes effect once.
    static func retryKey(_ typed: String = "") -> Field {
        .hidden("retry_key", typed.isEmpty ? Hex.encode(UInt64.random(in: .min ... .max)) : typed)
    }
}
