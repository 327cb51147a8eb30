/**
 * The options of a reinforcement policy (HARD-01, HARD-02): one key for each option of the required list, with what it is for, how far it
 * is implemented and what it cannot do. Policies, the interface and the command line use these keys; they are stored, so none is renamed.
 */

export const REINFORCE_GRADES = {
  A: { zh: '完整：结果有校验', en: 'Complete, with a check of the result' },
  B: {
    zh: '完整，处理不了的部分保留原样并列出',
    en: 'Complete; what cannot be processed stays as it is and is listed',
  },
  C: { zh: '部分：做到哪里会写明', en: 'Partial; how far it goes is stated' },
} as const
export type ReinforceGrade = keyof typeof REINFORCE_GRADES

export const REINFORCE_GROUPS = {
  code: { zh: '代码', en: 'Code' },
  integrity: { zh: '完整性', en: 'Integrity' },
  environment: { zh: '运行环境', en: 'Environment' },
  data: { zh: '数据', en: 'Data' },
  interface: { zh: '界面', en: 'Interface' },
  distribution: { zh: '分发', en: 'Distribution' },
} as const
export type ReinforceGroup = keyof typeof REINFORCE_GROUPS

type OptionEntry = {
  group: ReinforceGroup
  /** How far this product means to carry it out. */
  grade: ReinforceGrade
  zh: string
  en: string
  /** What is done. */
  does: { zh: string; en: string }
  /** What it does not do. */
  limit: { zh: string; en: string }
}

// biome-ignore format: one option in four lines, so that the list reads as a list
export const REINFORCE_OPTIONS = {
  dex_protection: { group: 'code', grade: 'B', zh: 'DEX 保护', en: 'Dex protection',
    does: { zh: '整体加密 DEX，密钥由包内的盐值与签名证书推导，由加载器在启动时解密', en: 'All dex files are encrypted with a key that follows from a salt in the package and the signing certificate; a loader decrypts them when a process starts' },
    limit: { zh: '盐值和证书都在包内，分析加载器即可离线解密；也挡不住内存转储；应用商店改用自己的证书签名（如 Play 应用签名）后应用无法启动；Android 8 以下解密后的代码存放在应用私有目录；启动变慢', en: 'Salt and certificate are in the package, so analysis of the loader decrypts them without running the app; a memory dump recovers them, too; where a store signs with a certificate of its own (Play App Signing) the app does not start; before Android 8 the decrypted code lies in the private folder of the app; starting takes longer' } },
  dex_vmp: { group: 'code', grade: 'B', zh: 'DEX 虚拟化（VMP）', en: 'Dex virtualization (VMP)',
    does: { zh: '选中的方法编译成自有指令，由包内的解释器执行，每次加固的指令编码都不同', en: 'Chosen methods become instructions of their own, which an interpreter in the package runs; their encoding differs in each build' },
    limit: { zh: '构造方法等处理不了的方法保留原样，逐个列出；minSdkVersion 低于 26 或带有 x86 库的包不处理；分析解释器可以还原代码；这些方法的耗时是系统解释器的 2 到 17 倍，真机会编译常用代码，差距更大；尚无真机验证，只在主机上的 Android 运行时（x86_64）和模拟的 ARM 处理器上验证过', en: 'Methods that cannot be compiled, such as constructors, stay as they are, and each is listed; packages with minSdkVersion below 26 or with libraries for x86 are left as they are; who analyses the interpreter recovers the code; these methods take 2 to 17 times as long as in the interpreter of Android, and devices compile code that runs often, which makes the difference larger; there is no proof on a device, only on a host Android runtime (x86_64) and on emulated ARM processors' } },
  so_protection: { group: 'code', grade: 'A', zh: 'SO 保护', en: 'SO protection',
    does: { zh: '去掉符号、调试与注释节', en: 'Symbols, debug and comment sections are removed' },
    limit: { zh: '系统加载器要求的节表必须保留', en: 'The section table that the system linker demands must stay' } },
  so_hiding: { group: 'code', grade: 'B', zh: 'SO 隐藏', en: 'SO hiding',
    does: { zh: '从 lib 目录移走，加密存放，由壳载入', en: 'Libraries leave the lib folder, encrypted, and the shell loads them' },
    limit: { zh: '载入后在内存中可见', en: 'Visible in memory once loaded' } },
  third_party_so_ban: { group: 'code', grade: 'A', zh: '第三方 SO 加固禁止', en: 'Third-party SO reinforcement ban',
    does: { zh: '已知第三方库和名单中的库保持原样', en: 'Known third-party libraries and those listed stay as they are' },
    limit: { zh: '内置名单不可能齐全', en: 'No built-in list is complete' } },
  js_protection: { group: 'code', grade: 'A', zh: 'JS 保护', en: 'JS protection',
    does: { zh: '混淆包内的 JS 文件', en: 'JS files in the package are obfuscated' },
    limit: { zh: 'Hermes 字节码不处理；网页必须能读到的代码不加密', en: 'Hermes bytecode is left alone; code that a web view must read is not encrypted' } },
  log_removal: { group: 'code', grade: 'A', zh: '代码日志清除', en: 'Code log removal',
    does: { zh: '删除所选种类的日志调用', en: 'Log calls of the chosen kinds are removed' },
    limit: { zh: '有副作用的参数计算会保留', en: 'Computations of arguments that have side effects stay' } },
  anti_decompile: { group: 'code', grade: 'A', zh: '反编译防护', en: 'Anti-decompile',
    does: { zh: '改名、去调试信息、不透明谓词、资源名混淆', en: 'Renaming, no debug information, opaque predicates, resource names' },
    limit: { zh: '提高阅读代价，不能阻止反编译', en: 'Makes reading expensive and does not prevent it' } },
  signature_check: { group: 'integrity', grade: 'C', zh: '签名校验', en: 'Signature check',
    does: { zh: '运行时与发布证书不符则处置', en: 'Acts where the certificate at run time is not that of the release' },
    limit: { zh: '应用商店改用自己的证书签名（如 Play 应用签名）会命中；挡不住系统级篡改和虚拟环境', en: 'A store that signs with a certificate of its own (Play App Signing) is found too; no help against a changed system or a virtual environment' } },
  integrity_check: { group: 'integrity', grade: 'C', zh: '完整性校验', en: 'Integrity check',
    does: { zh: '核对 DEX、SO、资源表和清单的哈希，多出和缺少的代码也算', en: 'Hashes of dex files, libraries, resource table and manifest are compared; code that was added or taken away counts too' },
    limit: { zh: '只看基础包；检测代码所在的 DEX 文件由签名校验负责', en: 'The base package alone; the dex file of the check itself is left to the signature check' } },
  zip_check: { group: 'integrity', grade: 'A', zh: 'ZIP 校验', en: 'ZIP check',
    does: { zh: '检查重名、重叠和头尾多余数据', en: 'Doubled names, overlaps and additional data are found' },
    limit: { zh: '只查结构，内容由完整性校验负责', en: 'Structure only; the integrity check covers contents' } },
  manifest_protection: { group: 'integrity', grade: 'A', zh: '清单保护', en: 'Manifest protection',
    does: { zh: '关闭调试、备份和明文传输', en: 'Debugging, backup and clear-text traffic are switched off' },
    limit: { zh: '应用自己的 http 地址也不能再访问；系统要用的组件名不能隐藏', en: 'The http addresses of the app fail too; names of components that the system needs cannot be hidden' } },
  shell_protection: { group: 'integrity', grade: 'C', zh: '壳保护', en: 'Shell protection',
    does: { zh: '加载器和运行时检查的名称、文本、密钥和代码排布每次加固都不同；进程启动时核对加载器、运行时检查和解释器，被改动则退出', en: 'Names, texts, keys and code of the loader and of the checks differ in each build; loader, checks and interpreter are compared when a process starts, which ends where one was changed' },
    limit: { zh: '核对用的代码和密钥都在包内，研究之后可以一并替换；系统类名和解释器的机器码各次相同；只能处理已含加载器、检查或解释器的 APK', en: 'Code and keys of the check are in the package: who studies them can replace them together; names of Android’s classes and the machine code of the interpreter are the same in each build; for APKs that have a loader, checks or the interpreter' } },
  anti_debugging: { group: 'environment', grade: 'C', zh: '反调试', en: 'Anti-debugging',
    does: { zh: '进程启动时和之后每 5 秒检测 Java 调试器和跟踪进程', en: 'Java debuggers and tracing processes are found when a process starts and every 5 seconds after' },
    limit: { zh: '挡不住改过的内核和系统；重新打包的人可以删掉检测代码', en: 'No help against a changed kernel or system; who repackages the app can remove the check' } },
  anti_emulator: { group: 'environment', grade: 'C', zh: '反模拟器', en: 'Anti-emulator',
    does: { zh: '按系统属性和设备文件判断，至少两处相符才算', en: 'System properties and device files are compared; two signs are needed' },
    limit: { zh: '不能识别所有模拟器，ChromeOS 和 Windows 上的 Android 不算模拟器；检测代码可被重新打包的人删掉', en: 'Not every emulator is recognised; Android on ChromeOS and Windows counts as a device; who repackages the app can remove the check' } },
  anti_xposed: { group: 'environment', grade: 'C', zh: '反 Xposed', en: 'Anti-Xposed',
    does: { zh: '检测 Xposed、LSPosed 和 Frida 的类、调用栈和内存映射', en: 'Classes, stack frames and memory maps of Xposed, LSPosed and Frida are found' },
    limit: { zh: '隐藏或改名的框架会漏检；检测代码可被重新打包的人删掉', en: 'Frameworks that hide or are renamed are missed; who repackages the app can remove the check' } },
  anti_multi_open: { group: 'environment', grade: 'C', zh: '防多开', en: 'Anti multi-open',
    does: { zh: '按数据目录、安装包位置、用户号和 UID 识别多开', en: 'Cloned installs are recognised by data folder, package file, user and uid' },
    limit: { zh: '系统自带的应用双开可能表现正常；检测代码可被重新打包的人删掉', en: 'Clones made by the system itself can look normal; who repackages the app can remove the check' } },
  proxy_check: { group: 'environment', grade: 'C', zh: 'WIFI 代理环境检测', en: 'WIFI proxy environment check',
    does: { zh: '检测进程和网络的代理设置', en: 'Proxies of the process and of the network are found' },
    limit: { zh: '透明代理和 VPN 看不到；公司网络的正常代理也会命中', en: 'Transparent proxies and VPNs are not seen; an ordinary proxy of a company is found too' } },
  memory_protection: { group: 'environment', grade: 'C', zh: '内存保护', en: 'Memory protection',
    does: { zh: '进程启动时禁止转储；启动时和之后每 5 秒检查内存映射和打开的文件，识别注入的代码和转储工具；加载器用过的密钥和明文代码会清零', en: 'Dumps are forbidden when a process starts; memory maps and open files are searched for injected code and tools for dumps, then and every 5 seconds after; keys and plain code of the loader are wiped after use' },
    limit: { zh: '挡不住 root 权限和内核层面的转储；应用带有本地库或用到 WebView 时，不检测可写可执行的匿名内存；改了名或冒充系统 JIT 缓存的工具会漏检；应用自己从 memfd 加载代码也会命中；检测代码可被重新打包的人删掉', en: 'No help against a dump with root rights or by the kernel; memory that is writable and executable is not judged where the app has native libraries or uses a web view; tools that are renamed or pass as the JIT cache are missed; code that the app itself loads from a memfd is found too; who repackages the app can remove the check' } },
  core_library_protection: { group: 'environment', grade: 'C', zh: '核心库保护', en: 'Core library protection',
    does: { zh: '进程启动时和之后每 5 秒，把 libc、libdl 和 libart 关键函数的开头与磁盘上的文件核对，发现内联挂钩', en: 'The first bytes of functions that matter in libc, libdl and libart are compared with their files when a process starts and every 5 seconds after, which finds inline hooks' },
    limit: { zh: '只核对关键函数的前 16 字节，GOT、PLT 和 Java 层的挂钩看不到；文件读不到或已被替换时不核对；应用自己的 SDK 挂钩系统函数也会命中；检测代码可被重新打包的人删掉', en: 'The first 16 bytes of these functions alone: hooks in tables of imports and in Java are not seen; a file that cannot be read or was replaced is not compared; an SDK of the app that hooks system functions itself is found too; who repackages the app can remove the check' } },
  process_protection: { group: 'environment', grade: 'B', zh: '进程保护', en: 'Process protection',
    does: { zh: '守护进程互相跟踪，占住调试位', en: 'Guard processes trace each other, so that no debugger can' },
    limit: { zh: 'Android 12 起系统会限制子进程', en: 'Android 12 and later limit child processes' } },
  db_protection: { group: 'data', grade: 'C', zh: 'DB 文件保护', en: 'DB file protection',
    does: { zh: '应用的偏好设置（SharedPreferences）加密存放，名称和值都不可读，被改动的值不予采用；密钥由 Android 密钥库保护；升级前留下的明文在首次打开时转为密文', en: 'Preferences of the app (SharedPreferences) lie on the device encrypted, names and values, and a changed value is not accepted; the key store of Android protects their key; values that an earlier version left readable are encrypted when they are first opened' },
    limit: { zh: '只管偏好设置，SQLite 数据库和应用写入的其他文件不加密；系统设置页面、本地代码、反射、动态加载的代码等可能直接读写的偏好设置保持原样，逐个列出，有时是全部；Android 6 以下或密钥库不可用时，密钥存放在应用私有目录；能以应用身份运行代码的人（如有 root 权限）可以解密，也可以删除值或写入明文；恢复到其他手机后视为不存在；之后的版本也要开启此选项，否则读不到；启动时首次打开较慢；尚无真机验证，只在主机上的 Android 运行时上验证过', en: 'Preferences alone: SQLite databases and other files that the app writes are not encrypted; preferences that settings pages of Android, native code, reflection, loaded code or others may open themselves stay readable, and each is listed, sometimes all of them; before Android 6, or where the key store does not answer, the key lies in the private folder of the app; who runs code as the app, with root rights for instance, decrypts them, and can delete values or put readable ones in; on another phone they count as absent; later versions need the option too, or do not read them; the first opening in a process takes longer; there is no proof on a device, only on a host Android runtime' } },
  resource_protection: { group: 'data', grade: 'B', zh: '资源文件保护', en: 'Resource file protection',
    does: { zh: '加密所选的 assets 文件和 raw 资源，应用打开时解密，被改动的文件拒绝打开', en: 'Chosen files below assets and raw resources are encrypted and decrypted when the app opens them; a changed one is refused' },
    limit: { zh: '本地代码、网页视图、反射、动态加载的代码或系统可能直接读取的文件保持原样，逐个列出，有时是全部文件；应用自己加密过的名称识别不到；密钥在包内的代码里，建议与 DEX 保护一起开启；打开时整个文件放进内存；其他应用读取本应用的这些文件会得到密文', en: 'Files that native code, a web view, reflection, loaded code or Android may read themselves stay as they are, and each is listed, sometimes all of them; names that the app encrypts itself are not recognised; the key is in the code of the package, so that dex protection should be on too; an opened file is held in memory whole; other apps that read the files of this one get them encrypted' } },
  cer_protection: { group: 'data', grade: 'B', zh: 'CER 证书保护', en: 'CER protection',
    does: { zh: '按文件名和内容识别 assets 与 raw 资源中的证书、密钥和密钥库并加密，应用打开时解密，被改动或替换的文件拒绝打开', en: 'Certificates, keys and key stores below assets and in raw resources, by name and content, are encrypted and decrypted when the app opens them; a changed or replaced one is refused' },
    limit: { zh: '网络安全配置引用的证书、本地代码等可能直接读取的文件保持原样，逐个列出；密钥在包内的代码里，建议与 DEX 保护一起开启；会读取其他应用文件的应用识别不出被明文替换的文件；运行时内存中的证书不受保护，也不做证书锁定', en: 'Certificates that a network security configuration names, and files that native code or others may read themselves, stay as they are, and each is listed; the key is in the code of the package, so that dex protection should be on too; in an app that also opens files of other apps, a readable file in place of an encrypted one is not noticed; certificates in memory are not protected, and none are pinned' } },
  anti_hijack: { group: 'interface', grade: 'A', zh: '防界面劫持', en: 'Anti-hijack',
    does: { zh: '收紧任务栈设置，切到后台时提示', en: 'Task settings are tightened; leaving the foreground is announced' },
    limit: { zh: '有悬浮窗权限的应用仍能遮挡', en: 'Apps allowed to draw over others still can' } },
  screenshot_prevention: { group: 'interface', grade: 'A', zh: 'Activity 防截屏', en: 'Activity screenshot prevention',
    does: { zh: '所选 Activity 禁止截屏和录屏', en: 'Chosen activities cannot be captured' },
    limit: { zh: '挡不住拍照和 root 截屏', en: 'No help against photos and captures with root rights' } },
  multi_channel: { group: 'distribution', grade: 'A', zh: '多渠道打包', en: 'Multi-channel packaging',
    does: { zh: '加固后可为每个渠道生成包；对结果试做一个渠道包并读回核对', en: 'A package for each channel can be made of the result, which is tried once and read back' },
    limit: { zh: '渠道标识不保密；没有签名的结果要先签名', en: 'The channel key is no secret; a result without signature has to be signed first' } },
  risk_control: { group: 'distribution', grade: 'C', zh: '风控壳', en: 'Risk-control shell',
    does: { zh: '把运行时检查的结果上报到接口服务器，并按服务器部署的策略处置；被封禁的设备退出应用', en: 'Findings of the checks at run time are sent to the interface server, and the policy that it deploys decides what is done about them; the app ends on a banned device' },
    limit: { zh: '新策略只对之后发现的问题生效；阻断等同退出；未送达的事件不保存；启动时和之后每 10 分钟联系服务器，不等用户同意，隐私政策须写明', en: 'A new policy acts on what is found after it; blocking means ending; events that are not delivered are lost; the server is asked at the start and every 10 minutes, without consent, so a privacy policy has to name it' } },
} as const satisfies Record<string, OptionEntry>
export type ReinforceOption = keyof typeof REINFORCE_OPTIONS
export const REINFORCE_OPTION_KEYS = Object.keys(REINFORCE_OPTIONS) as ReinforceOption[]

/**
 * Options that the engine of this version implements, wholly or in part. The others can be chosen and are kept, and the interface says that they are not
 * available yet. An engine that learns an option adds its key here.
 */
const CARRIED_OUT: readonly ReinforceOption[] = [
  'dex_protection',
  'dex_vmp',
  'so_protection',
  'third_party_so_ban',
  'js_protection',
  'log_removal',
  'anti_decompile',
  'zip_check',
  'manifest_protection',
  'anti_hijack',
  'screenshot_prevention',
  'db_protection',
  'resource_protection',
  'cer_protection',
  'anti_debugging',
  'anti_emulator',
  'anti_xposed',
  'anti_multi_open',
  'proxy_check',
  'signature_check',
  'integrity_check',
  'memory_protection',
  'core_library_protection',
  'shell_protection',
  'multi_channel',
  'risk_control',
]

export function isCarriedOut(option: ReinforceOption): boolean {
  return CARRIED_OUT.includes(option)
}
