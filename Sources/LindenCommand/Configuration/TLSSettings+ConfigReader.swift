import Configuration
import LindenKernel

extension TLSSettings {
    /// Reads `tls.certificate` and `tls.private_key`. Nil without both; fails with one line if only one of them is set.
    init?(reader: ConfigReader) throws {
        switch (reader.text("tls.certificate"), reader.text("tls.private_key")) {
        case (nil, nil): return nil
        case (let certificate?, let key?): self.init(certificate: certificate, privateKey: key)
        case (let certificate?, nil):
            throw Failure.setting("tls.certificate", certificate, "needs tls.private_key, the path of its key")
        case (nil, let key?): throw Failure.setting("tls.private_key", key, "needs tls.certificate, the path of its certificate")
        }
    }
}
