import Configuration
import Foundation
import LindenKernel

extension ConfigReader {
    /// Returns a setting as text; nil if it is unset or empty. A file may hold a number or boolean where the environment can only hold
    /// text.
    func text(_ key: String) -> String? {
        let key = ConfigKey(key)
        let text =
            string(forKey: key) ?? int(forKey: key).map(String.init) ?? bool(forKey: key).map(String.init)
            ?? double(forKey: key).map { String($0) }
        return text?.isEmpty == true ? nil : text
    }

    func value<Value>(_ key: String, _ convert: (String) throws -> Value) throws -> Value? {
        guard let text = text(key) else { return nil }
        do {
            return try convert(text)
        } catch let failure as Failure {
            throw Failure.setting(key, text, failure.message)
        }
    }

    /// Returns a secret, which is set as text, or by the path of its file under the key with `_file`, not both.
    func secret(_ key: String) throws -> String? {
        let text = text(key)
        let fileKey = key + "_file"
        guard let path = self.text(fileKey) else { return text }
        guard text == nil else { throw Failure.setting(fileKey, path, "\(key) is set, too: set one of them") }
        let content = FileManager.default.contents(atPath: path).map { String(decoding: $0, as: UTF8.self) }
        guard let secret = content?.trimmingCharacters(in: .whitespacesAndNewlines), !secret.isEmpty else {
            throw Failure.setting(fileKey, path, "must be a file that can be read and has the secret")
        }
        return secret
    }

    func integer(_ key: String, in range: ClosedRange<Int>) throws -> Int? {
        try value(key) { text in
            guard let number = Int(text), range.contains(number) else {
                throw Failure.unusable("must be a whole number from \(range.lowerBound) to \(range.upperBound)")
            }
            return number
        }
    }

    func choice<Choice: RawRepresentable<String> & CaseIterable>(_ key: String) throws -> Choice? {
        try value(key) { text in
            guard let choice = Choice(rawValue: text.lowercased()) else {
                throw Failure.unusable("must be " + Choice.allCases.map(\.rawValue).joined(separator: " or "))
            }
            return choice
        }
    }

    func bool(_ key: String) throws -> Bool? {
        try value(key) { text in
            guard let truth = Bool(text.lowercased()) else { throw Failure.unusable("must be true or false") }
            return truth
        }
    }

    func networks(_ key: String) throws -> [Network] {
        try list(key).map { text in
            guard let network = Network(text) else {
                throw Failure.setting(key, text, "must be networks such as 10.0.0.0/8, separated by commas")
            }
            return network
        }
    }

    func list(_ key: String) -> [String] {
        let numbers: [String]? = intArray(forKey: ConfigKey(key))?.map { String($0) }
        let one: [String]? = text(key)?.split(separator: ",").map { String($0) }
        let texts = stringArray(forKey: ConfigKey(key)) ?? numbers ?? one ?? []
        return texts.map { $0.trimmingPrefix { $0 == " " } }.map(String.init).filter { !$0.isEmpty }
    }
}
