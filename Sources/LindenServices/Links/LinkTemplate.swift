import Linden
import LindenKernel

/// A named set of labels and data that a new link of an app's side can begin with.
package struct LinkTemplate: Sendable, Equatable {
    package let name: String
    package let labels: Labels
    package let data: JSONObject

    /// The most templates of an app's side.
    package static let mostPerScope = 100
    /// The most ``storedBytes`` of all templates of an app's side: a list of them is read, parsed and written at once.
    package static let mostBytesPerScope = 512 << 10
    /// The most values of a template's data, with those within others.
    package static let mostValues = 200
    /// In characters.
    package static let longestName = 100

    package init(name: String, labels: Labels = Labels(), data: JSONObject = [:]) {
        self.name = name
        self.labels = labels
        self.data = data
    }

    /// The bytes of the data and the tags as JSON, which is how they are stored.
    package var storedBytes: Int { JSON.object(data).bytes.count + tagBytes }

    private var tagBytes: Int { labels.tags.isEmpty ? 0 : JSON(labels.tags).bytes.count }

    /// Adds what a link does not say itself: each label, the tags if it has none, and each key of the data.
    package func fill(_ link: inout NewLink) {
        link.labels.channel = link.labels.channel ?? labels.channel
        link.labels.feature = link.labels.feature ?? labels.feature
        link.labels.campaign = link.labels.campaign ?? labels.campaign
        link.labels.stage = link.labels.stage ?? labels.stage
        if link.labels.tags.isEmpty { link.labels.tags = labels.tags }
        link.data = data.merging(link.data)
    }

    /// The bytes of the data and the tags, as JSON, that ``fill(_:)`` adds to a link.
    package func addedBytes(to link: NewLink) -> Int {
        let data = JSON.object(data.merging(link.data)).bytes.count - JSON.object(link.data).bytes.count
        return data + (link.labels.tags.isEmpty ? tagBytes : 0)
    }

    /// Fails with `invalid` for a malformed name, and as a link with these labels and data does.
    package func check(_ sizes: LinkSizeLimits) throws {
        let scalars = name.unicodeScalars
        let isPlain =
            !scalars.contains { $0.properties.generalCategory == .control } && scalars.first?.properties.isWhitespace != true
            && scalars.last?.properties.isWhitespace != true
        guard isPlain, (1...Self.longestName).contains(scalars.count) else {
            throw Failure.invalid(
                "name must have 1 to \(Self.longestName) characters, without line breaks and without spaces around it.")
        }
        let values = JSON.object(data).innerValues
        guard values <= Self.mostValues else {
            throw Failure.invalid("The data of a template may have at most \(Self.mostValues) values, not \(values).")
        }
        try labels.check()
        try sizes.check(data, labels)
    }
}

/// A template without its data, which may be large.
package struct LinkTemplateSummary: Sendable, Equatable {
    package let name: String
    package let labels: Labels
    /// The bytes of the data as JSON.
    package let dataBytes: Int

    package init(name: String, labels: Labels, dataBytes: Int) {
        self.name = name
        self.labels = labels
        self.dataBytes = dataBytes
    }
}
