import Configuration
import LindenKernel
import OutgoingHTTP

extension BackupSettings {
    /// Reads the settings of `backup`.
    ///
    /// - `backup.folder` (path, default none), `backup.every` (hours or days such as 12h or 1d, or off, default 1d), `backup.keep` (default 7)
    /// - `backup.s3.bucket` (text, default none), `.endpoint` (URL), `.region` (text, default us-east-1), `.prefix` (text, default none),
    ///   `.access_key` (text), `.secret_key` (text) or `.secret_key_file` (path)
    init(reader: ConfigReader) throws {
        self.init()
        folder = reader.text("backup.folder")
        if let every = try reader.value("backup.every", Self.interval) { self.every = every }
        keep = try reader.integer("backup.keep", in: BackupFolder.allowedKeep) ?? keep
        bucket = try Self.bucket(reader)
    }

    private static func bucket(_ reader: ConfigReader) throws -> S3Bucket? {
        guard let name = reader.text("backup.s3.bucket") else { return nil }
        let endpoint = try reader.value("backup.s3.endpoint", checkedEndpoint)
        let (access, secret) = (reader.text("backup.s3.access_key"), try reader.secret("backup.s3.secret_key"))
        guard let endpoint, let access, let secret else {
            throw Failure.setting(
                "backup.s3.bucket", name, "needs backup.s3.endpoint, backup.s3.access_key and backup.s3.secret_key")
        }
        return S3Bucket(
            endpoint: endpoint, name: name, prefix: reader.text("backup.s3.prefix") ?? "",
            region: reader.text("backup.s3.region") ?? "us-east-1", accessKey: access, secretKey: secret)
    }

    private static func checkedEndpoint(_ text: String) throws -> String {
        guard text.wholeMatch(of: /https?:\/\/[A-Za-z0-9.\-]+(:[0-9]{1,5})?\/?/) != nil else {
            throw Failure.unusable("must be https:// or http:// and a host, such as https://s3.eu-central-1.amazonaws.com")
        }
        return text.hasSuffix("/") ? String(text.dropLast()) : text
    }
}
