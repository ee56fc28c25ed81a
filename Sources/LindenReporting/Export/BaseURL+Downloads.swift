import Linden

/// The URLs of signed files, which are downloaded without a key or token.
extension BaseURL {
    package static let exports = "/api/v1/exports/"
    package static let reports = "/api/v1/analytics/reports/"

    package func url(ofExport file: SignedFile) -> String { url(of: file, in: Self.exports) }

    package func url(ofReport file: SignedFile) -> String { url(of: file, in: Self.reports) }

    private func url(of file: SignedFile, in folder: String) -> String { text + folder + file.name + "?" + file.query }
}
