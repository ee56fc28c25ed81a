import LinkRouting

extension AgentTable {
    static let appsOnIOS: [AgentRow] = [
        AgentRow(
            "Facebook on an iPhone",
            "Mozilla/5.0 (iPhone; CPU iPhone OS 18_6_2 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Mobile/22G100 Safari/604.1 [FBAN/FBIOS;FBAV/550.0.0.34.65;FBBV/890804754;FBDV/iPhone14,7;FBMD/iPhone;FBSN/iOS;FBSV/18.6.2;FBSS/3;FBID/phone;FBLC/en_US]",
            .iOS, "18.6.2", .iPhone, .apple, "iPhone14,7", app: .facebook),
        AgentRow(
            "Facebook on an iPad, which knows better than the frozen system",
            "Mozilla/5.0 (iPad; CPU OS 18_7 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Mobile/15E148 [FBAN/FBIOS;FBAV/549.1.0.40.107;FBBV/886965988;FBDV/iPad15,7;FBMD/iPad;FBSN/iPadOS;FBSV/26.2;FBSS/2;FBCR/;FBID/tablet;FBLC/en_US;FBOP/80]",
            .iOS, "26.2", .iPad, .apple, "iPad15,7", app: .facebook),
        AgentRow(
            "Facebook, cut short",
            "Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Mobile/22B83 [FBAN/FBIOS;FBAV/485.1.0",
            .iOS, "18.1", .iPhone, .apple, app: .facebook),
        AgentRow(
            "Facebook of 2012",
            "Mozilla/5.0 (iPhone; CPU iPhone OS 6_0 like Mac OS X) AppleWebKit/536.26 (KHTML, like Gecko) Mobile/10A403 [FBAN/FBIOS;FBAV/5.3;FBBV/89182;FBDV/iPhone4,1;FBMD/iPhone;FBSN/iPhone OS;FBSV/6.0;FBSS/2; FBCR/AT&T;FBID/phone;FBLC/en_US]",
            .iOS, "6", .iPhone, .apple, "iPhone4,1", app: .facebook),
        AgentRow(
            "Messenger on an iPhone",
            "Mozilla/5.0 (iPhone; CPU iPhone OS 7_1_2 like Mac OS X) AppleWebKit/537.51.2 (KHTML, like Gecko) Mobile/11D257 [FBAN/MessengerForiOS;FBAV/63.0.0.37.75;FBBV/25814750;FBDV/iPhone3,1;FBMD/iPhone;FBSN/iPhone OS;FBSV/7.1.2;FBSS/2; FBCR/OrangeFrance;FBID/p",
            .iOS, "7.1.2", .iPhone, .apple, "iPhone3,1", app: .messenger),
        AgentRow(
            "Instagram on an iPhone",
            "Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Mobile/15E148 Instagram 300.0.0.18.110 (iPhone15,2; iOS 17_5; de_DE; de-DE; scale=3.00; 1179x2556)",
            .iOS, "17.5", .iPhone, .apple, "iPhone15,2", app: .instagram),
        AgentRow(
            "Instagram of iOS 26, which ends as Safari does",
            "Mozilla/5.0 (iPhone; CPU iPhone OS 18_7 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Mobile/23G90 Instagram 423.0.0.21.66 (iPhone12,1; iOS 26_6_1; en_GB; en-GB; scale=2.00; 828x1792; IABMV/1; 1060018354) Safari/604.1",
            .iOS, "26.6.1", .iPhone, .apple, "iPhone12,1", app: .instagram),
        AgentRow(
            "Instagram by itself",
            "Mozilla/5.0 (iPhone; CPU iPhone OS 14_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Mobile/15E148 Instagram 123.0.0.21.115 (iPhone11,8; iOS 14_1; en_US; en-US; scale=2.00; 828x1792; 165586599)",
            .iOS, "14.1", .iPhone, .apple, "iPhone11,8", app: .instagram),
        AgentRow(
            "Threads on an iPhone",
            "Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Mobile/15E148 Barcelona 350.0.0.0 (iPhone15,2; iOS 18_0; ko_KR)",
            .iOS, "18", .iPhone, .apple, "iPhone15,2", app: .threads),
        AgentRow(
            "TikTok on an iPad",
            "Mozilla/5.0 (iPad; CPU OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Mobile/15E148 musical_ly_40.6.0 BytedanceWebview/d8a21c6",
            .iOS, "18.5", .iPad, .apple, app: .tiktok),
        AgentRow(
            "TikTok on an iPhone",
            "Mozilla/5.0 (iPhone; CPU iPhone OS 26_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Mobile/15E148 musical_ly_40.1.0 JsSdk/2.0 NetType/WIFI Channel/App Store ByteLocale/en Region/US BytedanceWebview/d8a21c6",
            .iOS, "26", .iPhone, .apple, app: .tiktok),
        AgentRow(
            "TikTok that ends as Safari does",
            "Mozilla/5.0 (iPad; CPU OS 26_5_2 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/26.5.2 Mobile/15E148 Safari/604.1 musical_ly_46.6.0 JsSdk/2.0 NetType/WIFI Channel/App Store ByteLocale/pt Region/ES isDarkMode/0 RevealType/Dialog",
            .iOS, "26.5.2", .iPad, .apple, app: .tiktok),
        AgentRow(
            "X on an iPhone",
            "Mozilla/5.0 (iPhone; CPU iPhone OS 17_6_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Mobile/21G93 Twitter for iPhone/10.64.1",
            .iOS, "17.6.1", .iPhone, .apple, app: .x),
        AgentRow(
            "LinkedIn on an iPhone of iOS 26",
            "Mozilla/5.0 (iPhone; CPU iPhone OS 18_7 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Mobile/15E148 [LinkedInApp]/9.32.2485",
            .iOS, nil, .iPhone, .apple, app: .linkedIn),
        AgentRow(
            "LinkedIn on an older iPhone",
            "Mozilla/5.0 (iPhone; CPU iPhone OS 14_2 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Mobile/15E148 [LinkedInApp]",
            .iOS, "14.2", .iPhone, .apple, app: .linkedIn),
        AgentRow(
            "Snapchat on an iPhone",
            "Mozilla/5.0 (iPhone; CPU iPhone OS 15_2 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/15.2 Mobile/15E148 Snapchat/11.68.0.37 (like Safari/8612.3.6.0.4, panda)",
            .iOS, "15.2", .iPhone, .apple, app: .snapchat),
        AgentRow(
            "Snapchat that tells the model",
            "Mozilla/5.0 (iPhone; CPU iPhone OS 17_3_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Mobile/15E148 Snapchat/12.80.0.30 (iPhone14,2; iOS 17.3.1; gzip)",
            .iOS, "17.3.1", .iPhone, .apple, "iPhone14,2", app: .snapchat),
        AgentRow(
            "Pinterest on an iPad",
            "Mozilla/5.0 (iPad; CPU OS 8_4_1 like Mac OS X) AppleWebKit/600.1.4 (KHTML, like Gecko) Mobile/12H321 [Pinterest/iOS]",
            .iOS,
            "8.4.1", .iPad, .apple, app: .pinterest),
        AgentRow(
            "Pinterest on an iPhone",
            "Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Mobile/15E148 [Pinterest/iOS]",
            .iOS, "17.5", .iPhone, .apple, app: .pinterest),
        AgentRow(
            "Reddit on an iPhone",
            "Mozilla/5.0 (iPhone; CPU iPhone OS 17_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Mobile/15E148 Reddit/Version 2024.10.0",
            .iOS, "17", .iPhone, .apple, app: .reddit),
        AgentRow(
            "WeChat on an iPhone",
            "Mozilla/5.0 (iPhone; CPU iPhone OS 16_2 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Mobile/15E148 MicroMessenger/8.0.31(0x18001f2e) NetType/4G Language/en",
            .iOS, "16.2", .iPhone, .apple, app: .weChat),
        AgentRow(
            "WeChat on an iPhone of iOS 26",
            "Mozilla/5.0 (iPhone; CPU iPhone OS 18_7 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Mobile/15E148 MicroMessenger/8.0.68(0x1800442b) NetType/WIFI Language/zh_CN",
            .iOS, nil, .iPhone, .apple, app: .weChat),
        AgentRow(
            "QQ on an iPhone",
            "Mozilla/5.0 (iPhone; CPU iPhone OS 14_8 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Mobile/15E148 QQ/8.8.17.612 V1_IPH_SQ_8.8.17_1_APP_A Pixel/1125 NetType/WIFI",
            .iOS, "14.8", .iPhone, .apple, app: .qq),
        AgentRow(
            "Weibo on an iPhone",
            "Mozilla/5.0 (iPhone; CPU iPhone OS 15_4 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Mobile/15E148 Weibo (iPhone13,2__weibo__12.3.0__iphone__os15.4)",
            .iOS, "15.4", .iPhone, .apple, "iPhone13,2", app: .weibo),
        AgentRow(
            "Baidu on an iPhone",
            "Mozilla/5.0 (iPhone; CPU iPhone OS 12_1_2 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Mobile/16C101 main%2F1.0 baiduboxapp/11.12.0.18 (Baidu; P2 12.1.2)",
            .iOS, "12.1.2", .iPhone, .apple, app: .baidu),
        AgentRow(
            "LINE on an iPhone",
            "Mozilla/5.0 (iPhone; CPU iPhone OS 26_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Mobile/15E148 Safari Line/26.11.0 LIFF",
            .iOS, "26.1", .iPhone, .apple, app: .line),
        AgentRow(
            "KakaoTalk on an iPhone",
            "Mozilla/5.0 (iPhone; CPU iPhone OS 18_6 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Mobile/15E148 KAKAOTALK 25.8.0",
            .iOS, nil, .iPhone, .apple, app: .kakaoTalk),
        AgentRow(
            "Naver on an iPhone",
            "Mozilla/5.0 (iPhone; CPU iPhone OS 12_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/12.0 Mobile/15E148 Safari/605.1 NAVER(inapp; search; 730; 10.27.3; 8)",
            .iOS, "12.1", .iPhone, .apple, app: .naver),
        AgentRow(
            "WhatsApp's own browser, where it has one",
            "Mozilla/5.0 (iPhone; CPU iPhone OS 17_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Mobile/15E148 WhatsApp/2.24.10",
            .iOS, "17", .iPhone, .apple, app: .whatsApp),
        AgentRow(
            "Discord on an iPhone",
            "Mozilla/5.0 (iPhone; CPU iPhone OS 14_4 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Mobile/15E148 Discord/78.0 (iPhone11,2; 14.4; Norway; nb)",
            .iOS, "14.4", .iPhone, .apple, "iPhone11,2", app: .discord),
        AgentRow(
            "the Google app on an iPhone",
            "Mozilla/5.0 (iPhone; CPU iPhone OS 18_6_2 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) GSA/399.2.845414227 Mobile/15E148 Safari/604.1",
            .iOS, "18.6.2", .iPhone, .apple, app: .googleApp),
        AgentRow(
            "Yahoo Japan on an iPad",
            "Mozilla/5.0 (iPad; CPU OS 18_1_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Mobile/15E148 YJApp-IOS jp.co.yahoo.ipn.appli/4.131.0",
            .iOS, "18.1.1", .iPad, .apple, app: .yahoo),
        AgentRow(
            "Bing on an iPhone",
            "Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Mobile/15E148 Safari/605.1.15 BingSapphire/31.8.430522001",
            .iOS, "18.5", .iPhone, .apple, app: .bing),
    ]

    static let appsOnAndroid: [AgentRow] = [
        AgentRow(
            "Facebook",
            "Mozilla/5.0 (Linux; Android 12; Infinix X6819 Build/SP1A.210812.016; wv) AppleWebKit/537.36 (KHTML, like Gecko) Version/4.0 Chrome/105.0.5195.79 Mobile Safari/537.36 [FB_IAB/FB4A;FBAV/396.1.0.28.104;]",
            .android, "12", .androidPhone, .infinix, "Infinix X6819", app: .facebook),
        AgentRow(
            "Facebook Lite",
            "Mozilla/5.0 (Linux; Android 9; TECNO LB8a Build/PPR1.180610.011; wv) AppleWebKit/537.36 (KHTML, like Gecko) Version/4.0 Chrome/79.0.3945.116 Mobile Safari/537.36[FBAN/EMA;FBLC/en_US;FBAV/315.0.0.0.21;]",
            .android, "9", .androidPhone, .tecno, "TECNO LB8a", app: .facebook),
        AgentRow(
            "Facebook on an Itel",
            "Mozilla/5.0 (Linux; Android 8.1.0; itel P32 Build/O11019; wv) AppleWebKit/537.36 (KHTML, like Gecko) Version/4.0 Chrome/107.0.5304.105 Mobile Safari/537.36 [FB_IAB/FB4A;FBAV/397.0.0.23.404;]",
            .android, "8.1", .androidPhone, .itel, "itel P32", app: .facebook),
        AgentRow(
            "Messenger",
            "Mozilla/5.0 (Linux; Android 13; SM-M127F Build/TP1A.220624.014; wv) AppleWebKit/537.36 (KHTML, like Gecko) Version/4.0 Chrome/109.0.5414.117 Mobile Safari/537.36 [FB_IAB/Orca-Android;FBAV/393.0.0.15.93;]",
            .android, "13", .androidPhone, .samsung, "SM-M127F", app: .messenger),
        AgentRow(
            "Messenger on a Huawei tablet",
            "Mozilla/5.0 (Linux; Android 7.0; KOB-W09 Build/HUAWEIKOB-W09; wv) AppleWebKit/537.36 (KHTML, like Gecko) Version/4.0 Chrome/69.0.3497.100 Safari/537.36 [FB_IAB/Orca-Android;FBAV/354.0.0.10.113;]",
            .android, "7", .androidTablet, .huawei, "KOB-W09", app: .messenger),
        AgentRow(
            "Instagram",
            "Mozilla/5.0 (Linux; Android 9; GM1903 Build/PKQ1.190110.001; wv) AppleWebKit/537.36 (KHTML, like Gecko) Version/4.0 Chrome/75.0.3770.143 Mobile Safari/537.36 Instagram 103.1.0.15.119 Android (28/9; 420dpi; 1080x2260; OnePlus; GM1903; OnePlus7; qcom; sv_SE; 164094539)",
            .android, "9", .androidPhone, nil, "GM1903", app: .instagram),
        AgentRow(
            "Instagram on a Pixel",
            "Mozilla/5.0 (Linux; Android 14; Pixel 8 Build/AP2A.240805.005; wv) AppleWebKit/537.36 (KHTML, like Gecko) Version/4.0 Chrome/128.0.6613.127 Mobile Safari/537.36 Instagram 389.0.0.49.87 Android (34/14; 420dpi; 1080x2400; Google/google; Pixel 8; shiba; shiba; en_US; 762306041)",
            .android, "14", .androidPhone, .google, "Pixel 8", app: .instagram),
        AgentRow(
            "Instagram on a Sony",
            "Mozilla/5.0 (Linux; Android 6.0.1; D6653 Build/23.5.A.0.575; wv) AppleWebKit/537.36 (KHTML, like Gecko) Version/4.0 Chrome/58.0.3029.83 Mobile Safari/537.36 Instagram 10.21.0 Android (23/6.0.1; 480dpi; 1080x1776; Sony; D6653; D6653; qcom; zh_TW)",
            .android, "6.0.1", .androidPhone, nil, "D6653", app: .instagram),
        AgentRow(
            "TikTok",
            "Mozilla/5.0 (Linux; Android 9; SM-G930F Build/PQ3A.190801.002; wv) AppleWebKit/537.36 (KHTML, like Gecko) Version/4.0 Chrome/81.0.4044.138 Mobile Safari/537.36 musical_ly_2024500030 JsSdk/1.0 NetType/WIFI Channel/googleplay AppName/musical_ly app_version/45.0.3 ByteLocale/en ByteFullLocale/en Region/VN AppId/1233 Spark/1.7.2 AppVersion/45.0.3 PIA/2.5.3 BytedanceWebview/d8a21c6",
            .android, "9", .androidPhone, .samsung, "SM-G930F", app: .tiktok),
        AgentRow(
            "TikTok that is built upon nothing of Chrome's",
            "Mozilla/5.0 (Linux; U; Android 14; en_US; SM-S928B; Build/UP1A.231005.007; Cronet/58.0.2991.0) musical_ly_2024105080 JsSdk/1.0 BytedanceWebview/d8a21c6",
            .android, "14", .androidPhone, .samsung, "SM-S928B", app: .tiktok),
        AgentRow(
            "X",
            "Mozilla/5.0 (Linux; Android 15; SM-S938U) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/126.0.0.0 Mobile Safari/537.36 TwitterAndroid/10.90.0",
            .android, "15", .androidPhone, .samsung, "SM-S938U", app: .x),
        AgentRow(
            "LinkedIn",
            "Mozilla/5.0 (Linux; Android 16; SM-A176U Build/BP2A.250605.031; wv) AppleWebKit/537.36 (KHTML, like Gecko) Version/4.0 Chrome/151.0.7922.85 Mobile Safari/537.36 [LinkedInApp]/2.312.70",
            .android, "16", .androidPhone, .samsung, "SM-A176U", app: .linkedIn),
        AgentRow(
            "Snapchat",
            "Mozilla/5.0 (Linux; Android 10; SM-G981B) AppleWebKit/537.36 (KHTML, like Gecko) Version/4.0 Chrome/78.0.3904.108 Mobile Safari/537.36 Snapchat/10.78.5.0 (SM-G981B; Android 10; gzip)",
            .android, "10", .androidPhone, .samsung, "SM-G981B", app: .snapchat),
        AgentRow(
            "Snapchat that tells its build",
            "Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/124.0.0.0 Mobile Safari/537.36 Snapchat/12.80.0.40 (Pixel 8; Android 14#AP2A.240705.005#34; gzip)",
            .android, "14", .androidPhone, .google, "Pixel 8", app: .snapchat),
        AgentRow(
            "Pinterest on a phone with a robot's name",
            "Mozilla/5.0 (Linux; Android 13; Ruby Pro) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/126.0 Mobile Safari/537.36 [Pinterest/Android]",
            .android, "13", .androidPhone, nil, "Ruby Pro", app: .pinterest),
        AgentRow(
            "Reddit",
            "Mozilla/5.0 (Linux; Android 13; SM-G986U Build/TP1A.220624.014; wv) AppleWebKit/537.36 (KHTML, like Gecko) Version/4.0 Chrome/118.0.0.0 Mobile Safari/537.36 Reddit/Version 2023.43.0/Build 1257426/Android 13",
            .android, "13", .androidPhone, .samsung, "SM-G986U", app: .reddit),
        AgentRow(
            "WeChat on a Xiaomi",
            "Mozilla/5.0 (Linux; Android 13; 22081212C Build/TKQ1.220829.002; wv) AppleWebKit/537.36 (KHTML, like Gecko) Version/4.0 Chrome/107.0.5304.141 Mobile Safari/537.36 XWEB/5023 MMWEBSDK/20230303 MMWEBID/6973 MicroMessenger/8.0.34.2340(0x2800225B) WeChat/arm64 Weixin NetType/WIFI Language/zh_CN ABI/arm64",
            .android, "13", .androidPhone, .xiaomi, "22081212C", app: .weChat),
        AgentRow(
            "WeChat that names a browser too",
            "Mozilla/5.0 (Linux; Android 10; YAL-AL10 Build/HUAWEIYAL-AL10; wv) AppleWebKit/537.36 (KHTML, like Gecko) Version/4.0 Chrome/77.0.3865.120 MQQBrowser/6.2 TBS/045513 Mobile Safari/537.36 MMWEBID/2689 MicroMessenger/8.0.1.1841(0x2800015D) Process/tools WeChat/arm64 NetType/WIFI Language/zh_CN",
            .android, "10", .androidPhone, .huawei, "YAL-AL10", app: .weChat),
        AgentRow(
            "Alipay",
            "Mozilla/5.0 (Linux; U; Android 10; zh-CN; V2034A Build/QP1A.190711.020) AppleWebKit/537.36 (KHTML, like Gecko) Version/4.0 Chrome/69.0.3497.100 UWS/3.22.2.33 Mobile Safari/537.36 UCBS/3.22.2.33_211025173018 NebulaSDK/1.8.100112 Nebula AlipayDefined(nt:WIFI,ws:360|0|2.0) AliApp(AP/10.2.51.7100) AlipayClient/10.2.51.7100 Language/zh-Hans useStatusBar/true isConcaveScreen/true Region/CNAriver/1.0.0",
            .android, "10", .androidPhone, .vivo, "V2034A", app: .alipay),
        AgentRow(
            "Baidu on an Honor of Huawei's days",
            "Mozilla/5.0 (Linux; Android 8.1.0; BKK-AL10 Build/HONORBKK-AL10; wv) AppleWebKit/537.36 (KHTML, like Gecko) Version/4.0 Chrome/63.0.3239.83 Mobile Safari/537.36 T7/11.11 baiduboxapp/11.11.0.0 (Baidu; P1 8.1.0)",
            .android, "8.1", .androidPhone, .huawei, "BKK-AL10", app: .baidu),
        AgentRow(
            "LINE on a Huawei tablet",
            "Mozilla/5.0 (Linux; Android 9; CMR-W09 Build/HUAWEICMR-W09; wv) AppleWebKit/537.36 (KHTML, like Gecko) Version/4.0 Chrome/130.0.6723.102 Safari/537.36 Line/14.18.1/IAB",
            .android, "9", .androidTablet, .huawei, "CMR-W09", app: .line),
        AgentRow(
            "KakaoTalk",
            "Mozilla/5.0 (Linux; Android 12; SM-F711N Build/SP1A.210812.016; wv) AppleWebKit/537.36 (KHTML, like Gecko) Version/4.0 Chrome/100.0.4896.79 Mobile Safari/537.36;KAKAOTALK 2409760",
            .android, "12", .androidPhone, .samsung, "SM-F711N", app: .kakaoTalk),
        AgentRow(
            "Naver",
            "Mozilla/5.0 (Linux; Android 7.0; SM-G930S Build/NRD90M) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/50.0.2661.102 Crosswalk/20.50.533.51 Mobile Safari/537.36 NAVER(inapp; search; 590; 8.7.3)",
            .android, "7", .androidPhone, .samsung, "SM-G930S", app: .naver),
        AgentRow(
            "Telegram, which puts the maker before the model",
            "Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/119.0.6045.193 Mobile Safari/537.36 Telegram-Android/11.4.3 (Samsung SM-G965N; Android 9; SDK 28; LOW)",
            .android, "9", .androidPhone, .samsung, "SM-G965N", app: .telegram),
        AgentRow(
            "Telegram that tells nothing but its version",
            "Mozilla/5.0 (Linux; Android 14; Pixel 8) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/124.0.0.0 Mobile Safari/537.36 Telegram-Android/11.7.4",
            .android, "14", .androidPhone, .google, "Pixel 8", app: .telegram),
        AgentRow(
            "Discord",
            "Mozilla/5.0 (Linux; Android 14; Pixel 8) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/126.0.0.0 Mobile Safari/537.36 Discord/220.0",
            .android, "14", .androidPhone, .google, "Pixel 8", app: .discord),
        AgentRow(
            "the Google app",
            "Mozilla/5.0 (Linux; Android 7.0; AGS-W09 Build/HUAWEIAGS-W09; wv) AppleWebKit/537.36 (KHTML, like Gecko) Version/4.0 Chrome/78.0.3904.90 Safari/537.36 GSA/10.83.10.21.arm64",
            .android, "7", .androidTablet, .huawei, "AGS-W09", app: .googleApp),
        AgentRow(
            "Yahoo Japan",
            "Mozilla/5.0 (Linux; Android 13; SH-M20 Build/TKQ1.220915.002; wv) AppleWebKit/537.36 (KHTML, like Gecko) Version/4.0 Chrome/132.0.6834.163 Mobile Safari/537.36 YJApp-ANDROID jp.co.yahoo.android.yjtop/3.187.0",
            .android, "13", .androidPhone, nil, "SH-M20", app: .yahoo),
        AgentRow(
            "Bing",
            "Mozilla/5.0 (Linux; Android 9; MIX 2 Build/PKQ1.190118.001; wv) AppleWebKit/537.36 (KHTML, like Gecko) Version/4.0 Chrome/100.0.4893.0 Mobile Safari/537.36 BingWeb/6.9.12",
            .android, "9", .androidPhone, .xiaomi, "MIX 2", app: .bing),
        AgentRow(
            "Outlook",
            "Mozilla/5.0 (Linux; Android 13) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/124.0.0.0 Mobile Safari/537.36 Outlook-Android/2.0",
            .android, "13", .androidPhone, app: .outlook),
    ]
}
