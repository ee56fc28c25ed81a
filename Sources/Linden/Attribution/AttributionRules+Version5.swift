extension AttributionRules {
    /// The standard rules of version 5, before evidence had the install time, the count of similar devices and the frequency of traits.
    package static let version5: AttributionRules = {
        var rules = AttributionRules()
        rules.version = 5
        rules.threshold = 60
        rules.tieMargin = 40
        rules.address = 60
        rules.ownNetwork = 45
        rules.household = 2
        rules.osVersion = 15
        rules.osVersionButPatch = 12
        rules.model = 15
        rules.screen = 15
        rules.versionShares = []
        rules.commonVersion = 0
        rules.modelShares = []
        rules.commonModel = 0
        rules.screenShares = []
        rules.commonScreen = 0
        rules.nothingCompared = 0
        rules.language = 0
        rules.otherLanguage = -35
        rules.otherLanguageUnlearned = -35
        rules.ages = [Step(upTo: 600, points: 0), Step(upTo: 1800, points: -20)]
        rules.longAgo = -40
        rules.usualWindow = 7200
        rules.uncomparedDensities = [Step(upTo: 0, points: 0), Step(upTo: 4, points: -15)]
        rules.highUncomparedDensity = -60
        rules.densities = []
        rules.highDensity = 0
        rules.sharedAddress = -30
        rules.knownDevice = 0
        rules.openingWindow = 7_776_000
        return rules
    }()
}
