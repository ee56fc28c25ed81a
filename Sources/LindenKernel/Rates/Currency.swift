/// A currency, identified by its ISO 4217 code.
package struct Currency: Sendable, Hashable {
    /// The code, in upper case.
    package let code: String

    /// Nil if the code is unknown.
    package init?(_ text: String) {
        guard text.utf8.count == 3 else { return nil }
        let code = text.uppercased()
        guard Self.codes.contains(code) else { return nil }
        self.code = code
    }

    private init(standard code: String) { self.code = code }

    /// The default currency: that of the SDKs for amounts without one.
    package static let standard = Currency(standard: "USD")

    /// The codes of the standard, except for those that denote no currency (XTS, XXX), and withdrawn ones that SDKs still send.
    private static let codes = Set(
        """
        AED AFN ALL AMD ANG AOA ARS AUD AWG AZN BAM BBD BDT BGN BHD BIF BMD BND BOB BOV BRL BSD BTN BWP BYN BZD CAD CDF CHE CHF CHW
        CLF CLP CNY COP COU CRC CUC CUP CVE CZK DJF DKK DOP DZD EGP ERN ETB EUR FJD FKP GBP GEL GHS GIP GMD GNF GTQ GYD HKD HNL HRK
        HTG HUF IDR ILS INR IQD IRR ISK JMD JOD JPY KES KGS KHR KMF KPW KRW KWD KYD KZT LAK LBP LKR LRD LSL LYD MAD MDL MGA MKD MMK
        MNT MOP MRU MUR MVR MWK MXN MXV MYR MZN NAD NGN NIO NOK NPR NZD OMR PAB PEN PGK PHP PKR PLN PYG QAR RON RSD RUB RWF SAR SBD
        SCR SDG SEK SGD SHP SLE SLL SOS SRD SSP STN SVC SYP SZL THB TJS TMT TND TOP TRY TTD TWD TZS UAH UGX USD USN UYI UYU UYW UZS
        VED VES VND VUV WST XAF XAG XAU XBA XBB XBC XBD XCD XCG XDR XOF XPD XPF XPT XSU XUA YER ZAR ZMW ZWG ZWL BYR MRO STD VEF
        """.split(whereSeparator: \.isWhitespace).map(String.init))
}
