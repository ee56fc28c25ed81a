import LinkRouting

extension AgentTable {
    static let android: [AgentRow] = [
        AgentRow(
            "Chrome on a Pixel",
            "Mozilla/5.0 (Linux; Android 14; Pixel 8) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/126.0.0.0 Mobile Safari/537.36",
            .android, "14", .androidPhone, .google, "Pixel 8", browser: "chrome 126"),
        AgentRow(
            "Chrome that keeps version and model to itself",
            "Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/144.0.0.0 Mobile Safari/537.36",
            .android,
            nil, .androidPhone, browser: "chrome 144"),
        AgentRow(
            "the same on a tablet",
            "Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/144.0.0.0 Safari/537.36", .android,
            nil,
            .androidTablet, browser: "chrome 144"),
        AgentRow(
            "Chrome on an Android 10 that says so",
            "Mozilla/5.0 (Linux; Android 10; SM-A205U) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/109.0.5414.117 Mobile Safari/537.36",
            .android, "10", .androidPhone, .samsung, "SM-A205U", browser: "chrome 109.0.5414.117"),
        AgentRow(
            "Chrome on a Samsung",
            "Mozilla/5.0 (Linux; Android 13; SM-S918B) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/112.0.0.0 Mobile Safari/537.36",
            .android, "13", .androidPhone, .samsung, "SM-S918B", browser: "chrome 112"),
        AgentRow(
            "Chrome on a Samsung tablet",
            "Mozilla/5.0 (Linux; Android 12; SM-X906C Build/QP1A.190711.020) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/80.0.3987.119 Mobile Safari/537.36",
            .android, "12", .androidTablet, .samsung, "SM-X906C", browser: "chrome 80.0.3987.119"),
        AgentRow(
            "Chrome on a tablet with a language in the way",
            "Mozilla/5.0 (Linux; U; Android 7.0; en-us; SM-T827R4 Build/NRD90M) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/60.0.3112.116 Safari/537.36",
            .android, "7", .androidTablet, .samsung, "SM-T827R4", browser: "chrome 60.0.3112.116"),
        AgentRow(
            "Chrome on a phone called Edge",
            "Mozilla/5.0 (Linux; Android 13; motorola edge 40) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/116.0.0.0 Mobile Safari/537.36",
            .android, "13", .androidPhone, .motorola, "motorola edge 40", browser: "chrome 116"),
        AgentRow(
            "Chrome on a Moto",
            "Mozilla/5.0 (Linux; Android 12; moto g pure) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/106.0.5249.126 Mobile Safari/537.36",
            .android, "12", .androidPhone, .motorola, "moto g pure", browser: "chrome 106.0.5249.126"),
        AgentRow(
            "Chrome on a Redmi",
            "Mozilla/5.0 (Linux; Android 12; Redmi Note 9 Pro) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/112.0.0.0 Mobile Safari/537.36",
            .android, "12", .androidPhone, .xiaomi, "Redmi Note 9 Pro", browser: "chrome 112"),
        AgentRow(
            "Chrome on a Xiaomi that is a number",
            "Mozilla/5.0 (Linux; Android 12; 2201116SG) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/112.0.0.0 Mobile Safari/537.36",
            .android, "12", .androidPhone, .xiaomi, "2201116SG", browser: "chrome 112"),
        AgentRow(
            "Chrome on a Xiaomi of 2021",
            "Mozilla/5.0 (Linux; Android 11; M2102J20SG) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/112.0.0.0 Mobile Safari/537.36",
            .android, "11", .androidPhone, .xiaomi, "M2102J20SG", browser: "chrome 112"),
        AgentRow(
            "Chrome on a Huawei",
            "Mozilla/5.0 (Linux; Android 10; VOG-L29) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/112.0.0.0 Mobile Safari/537.36",
            .android, "10", .androidPhone, .huawei, "VOG-L29", browser: "chrome 112"),
        AgentRow(
            "Chrome on a Huawei tablet",
            "Mozilla/5.0 (Linux; Android 7.0; BAH-L09) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/70.0.3538.80 Safari/537.36",
            .android, "7", .androidTablet, .huawei, "BAH-L09", browser: "chrome 70.0.3538.80"),
        AgentRow(
            "Huawei's browser on a phone that is Android and Harmony at once",
            "Mozilla/5.0 (Linux; Android 12; HarmonyOS; ANA-AN00; HMSCore 6.8.0.332) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/99.0.4844.88 HuaweiBrowser/13.0.3.301 Mobile Safari/537.36",
            .android, "12", .androidPhone, .huawei, "ANA-AN00", browser: "huawei_browser 13.0.3.301"),
        AgentRow(
            "Huawei's browser on a tablet",
            "Mozilla/5.0 (Linux; Android 10; AGRK-W09; HMSCore 6.14.0.321) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/114.0.5735.196 HuaweiBrowser/15.0.4.312 Safari/537.36",
            .android, "10", .androidTablet, .huawei, "AGRK-W09", browser: "huawei_browser 15.0.4.312"),
        AgentRow(
            "Chrome on an Honor",
            "Mozilla/5.0 (Linux; Android 13; REA-NX9) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/116.0.0.0 Mobile Safari/537.36",
            .android, "13", .androidPhone, .honor, "REA-NX9", browser: "chrome 116"),
        AgentRow(
            "Chrome on an Oppo",
            "Mozilla/5.0 (Linux; Android 12; CPH2211) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/107.0.0.0 Mobile Safari/537.36",
            .android, "12", .androidPhone, .oppo, "CPH2211", browser: "chrome 107"),
        AgentRow(
            "Oppo's browser",
            "Mozilla/5.0 (Linux; U; Android 11; en-us; PDEM30 Build/RKQ1.200903.002) AppleWebKit/537.36 (KHTML, like Gecko) Version/4.0 Chrome/77.0.3865.120 Mobile Safari/537.36 HeyTapBrowser/40.7.23.1",
            .android, "11", .androidPhone, .oppo, "PDEM30", browser: "heytap 40.7.23.1"),
        AgentRow(
            "Vivo's browser",
            "Mozilla/5.0 (Linux; Android 13; V2231A; wv) AppleWebKit/537.36 (KHTML, like Gecko) Version/4.0 Chrome/110.0.0.0 Mobile Safari/537.36 VivoBrowser/13.6.21.0",
            .android, "13", .androidPhone, .vivo, "V2231A", browser: "vivo_browser 13.6.21"),
        AgentRow(
            "Xiaomi's browser",
            "Mozilla/5.0 (Linux; U; Android 9; en-gb; Redmi Note 8 Build/PKQ1.190616.001) AppleWebKit/537.36 (KHTML, like Gecko) Version/4.0 Chrome/71.0.3578.141 Mobile Safari/537.36 XiaoMi/MiuiBrowser/11.4.3-g",
            .android, "9", .androidPhone, .xiaomi, "Redmi Note 8", browser: "mi_browser 11.4.3"),
        AgentRow(
            "Chrome on a Realme",
            "Mozilla/5.0 (Linux; Android 11; RMX2117) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/96.0.4664.104 Mobile Safari/537.36",
            .android, "11", .androidPhone, .realme, "RMX2117", browser: "chrome 96.0.4664.104"),
        AgentRow(
            "Chrome on a OnePlus",
            "Mozilla/5.0 (Linux; Android 10; ONEPLUS A6003) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/112.0.0.0 Mobile Safari/537.36",
            .android, "10", .androidPhone, .onePlus, "ONEPLUS A6003", browser: "chrome 112"),
        AgentRow(
            "Chrome on a CUBOT, which is no robot",
            "Mozilla/5.0 (Linux; Android 10; CUBOT NOTE 20) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/87.0.4280.101 Mobile Safari/537.36",
            .android, "10", .androidPhone, .cubot, "CUBOT NOTE 20", browser: "chrome 87.0.4280.101"),
        AgentRow(
            "the same in one word",
            "Mozilla/5.0 (Linux; Android 7.0; CUBOT_NOTE_S Build/NRD90M) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/61.0.3163.98 Mobile Safari/537.36",
            .android, "7", .androidPhone, .cubot, "CUBOT_NOTE_S", browser: "chrome 61.0.3163.98"),
        AgentRow(
            "a web view on a phone with an unknown maker",
            "Mozilla/5.0 (Linux; Android 11; WP12 Pro Build/RP1A.200720.011; wv) AppleWebKit/537.36 (KHTML, like Gecko) Version/4.0 Chrome/109.0.5414.85 Mobile Safari/537.36",
            .android, "11", .androidPhone, nil, "WP12 Pro", app: .webView),
        AgentRow(
            "a web view on a Pixel",
            "Mozilla/5.0 (Linux; Android 14; Pixel 8 Build/AP2A.240805.005; wv) AppleWebKit/537.36 (KHTML, like Gecko) Version/4.0 Chrome/113.0.5672.136 Mobile Safari/537.36",
            .android, "14", .androidPhone, .google, "Pixel 8", app: .webView),
        AgentRow(
            "a web view from before Android 5, which does not say so",
            "Mozilla/5.0 (Linux; Android 4.4.4; HUAWEI H891L Build/HuaweiH891L) AppleWebKit/537.36 (KHTML, like Gecko) Version/4.0 Chrome/33.0.0.0 Mobile Safari/537.36",
            .android, "4.4.4", .androidPhone, .huawei, "HUAWEI H891L", app: .webView),
        AgentRow(
            "a web view on a Chromebook that runs Android apps",
            "Mozilla/5.0 (Linux; Android 9; Acer Chromebook R13 (CB5-312T) Build/R108-15183.78.0; wv) AppleWebKit/537.36 (KHTML, like Gecko) Version/4.0 Chrome/109.0.5414.85 Safari/537.36",
            .android, "9", .androidTablet, nil, "Acer Chromebook R13 (CB5-312T)", app: .webView),
        AgentRow(
            "Samsung's browser",
            "Mozilla/5.0 (Linux; Android 13; SAMSUNG SM-G991B) AppleWebKit/537.36 (KHTML, like Gecko) SamsungBrowser/20.0 Chrome/106.0.5249.126 Mobile Safari/537.36",
            .android, "13", .androidPhone, .samsung, "SM-G991B", browser: "samsung_internet 20"),
        AgentRow(
            "Samsung's browser that tells no model, but whose it is",
            "Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) SamsungBrowser/28.0 Chrome/130.0.0.0 Mobile Safari/537.36",
            .android, nil, .androidPhone, .samsung, browser: "samsung_internet 28"),
        AgentRow(
            "Firefox",
            "Mozilla/5.0 (Android 16; Mobile; rv:147.0) Gecko/147.0 Firefox/147.0", .android, "16", .androidPhone,
            browser: "firefox 147"),
        AgentRow(
            "Firefox that tells no version",
            "Mozilla/5.0 (Android; Mobile; rv:68.0) Gecko/68.0 Firefox/68.0", .android, nil, .androidPhone, browser: "firefox 68"),
        AgentRow(
            "Firefox that tells the model",
            "Mozilla/5.0 (Android 13; Mobile; SM-G9900; rv:105.0) Gecko/105.0 Firefox/105.0", .android, "13", .androidPhone,
            .samsung,
            "SM-G9900", browser: "firefox 105"),
        AgentRow(
            "Firefox on a tablet",
            "Mozilla/5.0 (Android 13; Tablet; rv:109.0) Gecko/113.0 Firefox/113.0", .android, "13", .androidTablet,
            browser: "firefox 113"),
        AgentRow(
            "Edge",
            "Mozilla/5.0 (Linux; Android 10; HD1913) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/131.0.6778.81 Mobile Safari/537.36 EdgA/131.0.2903.87",
            .android, "10", .androidPhone, nil, "HD1913", browser: "edge 131.0.2903.87"),
        AgentRow(
            "Opera",
            "Mozilla/5.0 (Linux; Android 10; VOG-L29) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/131.0.6778.81 Mobile Safari/537.36 OPR/76.2.4027.73374",
            .android, "10", .androidPhone, .huawei, "VOG-L29", browser: "opera 76.2.4027.73374"),
        AgentRow(
            "Opera Mini",
            "Opera/9.80 (Android; Opera Mini/36.2.2254/119.132; U; id) Presto/2.12.423 Version/12.16", .android, nil, .androidPhone,
            browser: "opera 9.80"),
        AgentRow(
            "Opera Mini, built upon a web view",
            "Mozilla/5.0 (Linux; U; Android 8.0.0; SM-G955N Build/R16NW; wv) AppleWebKit/537.36 (KHTML, like Gecko) Version/4.0 Chrome/64.0.3282.137 Mobile Safari/537.36 OPR/35.0.2254.127755",
            .android, "8", .androidPhone, .samsung, "SM-G955N", browser: "opera 35.0.2254.127755"),
        AgentRow(
            "UC Browser",
            "Mozilla/5.0 (Linux; U; Android 10; en-US; AGR-L09 Build/HUAWEIAGR-L09) AppleWebKit/537.36 (KHTML, like Gecko) Version/4.0 Chrome/78.0.3904.108 UCBrowser/13.3.8.1305 Mobile Safari/537.36",
            .android, "10", .androidPhone, .huawei, "AGR-L09", browser: "uc_browser 13.3.8.1305"),
        AgentRow(
            "Yandex, which tells the processor first",
            "Mozilla/5.0 (Linux; arm_64; Android 14; SM-G965F) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/130.0.6723.137 YaBrowser/24.12.0.137.00 SA/3 Mobile Safari/537.36",
            .android, "14", .androidPhone, .samsung, "SM-G965F", browser: "yandex 24.12.0.137.00"),
        AgentRow(
            "DuckDuckGo",
            "Mozilla/5.0 (Linux; Android 12) AppleWebKit/537.36 (KHTML, like Gecko) Version/4.0 Chrome/108.0.5359.128 Mobile DuckDuckGo/5 Safari/537.36",
            .android, "12", .androidPhone, browser: "duckduckgo 5"),
        AgentRow(
            "Vivaldi",
            "Mozilla/5.0 (Linux; Android 11; Pixel 4) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/108.0.0.0 Mobile Safari/537.36 Vivaldi/5.6.2867.40",
            .android, "11", .androidPhone, .google, "Pixel 4", browser: "vivaldi 5.6.2867.40"),
        AgentRow(
            "what Android had before Chrome",
            "Mozilla/5.0 (Linux; U; Android 4.0.2; en-us; Galaxy Nexus Build/ICL53F) AppleWebKit/534.30 (KHTML, like Gecko) Version/4.0 Mobile Safari/534.30",
            .android, "4.0.2", .androidPhone, .samsung, "Galaxy Nexus", browser: "android_browser 4"),
        AgentRow(
            "a television",
            "Mozilla/5.0 (Linux; Android 10; BRAVIA 4K UR2 Build/PTT1.190515.001.S104) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/88.0.4324.152 Safari/537.36",
            .android, "10", .androidTV, .sony, "BRAVIA 4K UR2", browser: "chrome 88.0.4324.152"),
    ]

    static let amazon: [AgentRow] = [
        AgentRow(
            "Silk on a Fire tablet",
            "Mozilla/5.0 (Linux; Android 9; KFMAWI) AppleWebKit/537.36 (KHTML, like Gecko) Silk/108.4.6 like Chrome/108.0.5359.160 Safari/537.36",
            .android, "9", .fireTablet, .amazon, "KFMAWI", browser: "silk 108.4.6"),
        AgentRow(
            "Silk that asks for desktop pages",
            "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Silk/44.1.54 like Chrome/44.0.2403.63 Safari/537.36",
            .android, nil, .fireTablet, .amazon, browser: "silk 44.1.54"),
        AgentRow(
            "Silk on the first Fire, which asked as a Mac",
            "Mozilla/5.0 (Macintosh; U; Intel Mac OS X 10_6_3; en-us; Silk/1.1.0-80) AppleWebKit/533.16 (KHTML, like Gecko) Version/5.0 Safari/533.16 Silk-Accelerated=true",
            .android, nil, .fireTablet, .amazon, browser: "silk 1.1"),
        AgentRow(
            "a web view on a Fire TV",
            "Mozilla/5.0 (Linux; Android 7.1.2; AFTMM Build/NS6265; wv) AppleWebKit/537.36 (KHTML, like Gecko) Version/4.0 Chrome/70.0.3538.110 Mobile Safari/537.36",
            .android, "7.1.2", .fireTV, .amazon, "AFTMM", app: .webView),
        AgentRow(
            "Facebook on a Fire tablet",
            "Mozilla/5.0 (Linux; Android 5.1.1; KFSUWI Build/LVY48F; wv) AppleWebKit/537.36 (KHTML, like Gecko) Version/4.0 Chrome/59.0.3071.125 Safari/537.36 [FB_IAB/FB4A;FBAV/170.0.0.44.94;]",
            .android, "5.1.1", .fireTablet, .amazon, "KFSUWI", app: .facebook),
    ]
}
