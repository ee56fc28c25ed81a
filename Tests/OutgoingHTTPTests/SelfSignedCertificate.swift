import NIOSSL

/// A certificate for `logo.test` without a trusted issuer, made for these tests and valid until 2126.
enum SelfSignedCertificate {
    static func serverContext() throws -> NIOSSLContext {
        let certificate = try NIOSSLCertificate(bytes: Array(certificatePEM.utf8), format: .pem)
        let key = try NIOSSLPrivateKey(bytes: Array(keyPEM.utf8), format: .pem)
        return try NIOSSLContext(
            configuration: .makeServerConfiguration(certificateChain: [.certificate(certificate)], privateKey: .privateKey(key))
        )
    }

    static let certificatePEM = """
        -----BEGIN CERTIFICATE-----
        MIIBljCCATugAwIBAgIUUh8TyITL4rITBZc3GLN7yd7DqdUwCgYIKoZIzj0EAwIw
        FDESMBAGA1UEAwwJbG9nby50ZXN0MCAXDTI2MTEyMTA2MDYzMVoYDzIxMjYxMDI4
        MDYwNjMxWjAUMRIwEAYDVQQDDAlsb2dvLnRlc3QwWTATBgcqhkjOPQIBBggqhkjO
        PQMBBwNCAATBD133KxJ4hdvok7eaVAoUeFfhTjnBfFvqoh3NJFjOdYSgtdKyVBdO
        RS+pKZqGb58n3CcDr49Bv38zBePt5eX1o2kwZzAdBgNVHQ4EFgQUwNkj+1nBfW16
        b2WOqnOwdnWGVZowHwYDVR0jBBgwFoAUwNkj+1nBfW16b2WOqnOwdnWGVZowDwYD
        VR0TAQH/BAUwAwEB/zAUBgNVHREEDTALgglsb2dvLnRlc3QwCgYIKoZIzj0EAwID
        SQAwRgIhAMWjI30TyqKrOOUtpYupHt3FGZuCSl/xFqBpYsH9+oZ4AiEAvuIlLcy8
        tujslT2gyeQ6tKW2shGRXaJinO75JbSBbZ4=
        -----END CERTIFICATE-----
        """

    private static let keyPEM = """
        -----BEGIN PRIVATE KEY-----
        MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgr5JWBU6vz8ATEDND
        TrCStAY4ikaWq2Q3Cqs6YGZGXlKhRANCAATBD133KxJ4hdvok7eaVAoUeFfhTjnB
        fFvqoh3NJFjOdYSgtdKyVBdORS+pKZqGb58n3CcDr49Bv38zBePt5eX1
        -----END PRIVATE KEY-----
        """
}
