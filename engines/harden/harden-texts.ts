/** What reinforcement did to a place of a package, or why it did not: the English text is the key of the Chinese one. */
export const HARDEN_TEXTS = {
  // ---- code
  'log calls removed': '日志调用已删除',
  'prints an object, whose toString may do more than print': '打印的是对象，其 toString 可能不只用于打印',
  'prints to a stream that may be another than System.out': '打印到的流不一定是 System.out',
  'texts hidden': '字符串已隐藏',
  'texts of static fields of a serializable class': '可序列化类的静态字段字符串',
  'opaque predicates added': '已加入不透明谓词',
  'names of source files and variables removed': '源文件名与变量名已删除',
  'classes of known libraries, or kept by rules, are left as they are': '已知第三方库的类和保留规则中的类保持原样',
  'renaming of classes and members': '类与成员改名',
  'onCreate sets FLAG_SECURE': 'onCreate 已设置 FLAG_SECURE',
  'onCreate added, which sets FLAG_SECURE': '已加入设置 FLAG_SECURE 的 onCreate',
  'no activity is chosen': '没有选中任何 Activity',
  'the package has no such class': '包中没有这个类',
  'a class of a known library, or kept by a rule': '属于已知第三方库，或由保留规则保留',
  'inherits a final onCreate of {detail}': '继承了 {detail} 的 final onCreate',
  'its onCreate has no code': 'onCreate 没有代码',
  // ---- manifest and resources
  'set to false': '已设为 false',
  'set to false: the app asked for true, its http addresses fail':
    '已设为 false：应用原先要求 true，它的 http 地址将无法访问',
  removed: '已删除',
  'a network security configuration decides about it': '由网络安全配置决定',
  '{detail} is exported without filter or permission: decide by hand': '{detail} 导出时没有过滤器或权限，需人工决定',
  'the package groups its activities into tasks itself': '应用自己为 Activity 分配了任务栈',
  'set to no task': '已设为不加入任何任务栈',
  'the notice when the app leaves the foreground, which needs the shell': '离开前台时的提示需要运行壳',
  'the package has no resource table': '包中没有资源表',
  'resource files renamed': '资源文件已改名',
  'files that no value of the table names keep their names': '资源表没有引用的文件保持原名',
  'the resource table cannot be written again: {detail}': '资源表无法重写：{detail}',
  'entries checked, stored ones aligned': '条目已检查，未压缩的条目已对齐',
  'the check at run time, which needs the shell': '运行时校验需要运行壳',
  // ---- checks at run time
  'checked when a process starts: only reports': '进程启动时检查：只上报',
  'checked when a process starts: warns': '进程启动时检查：提示',
  'checked when a process starts: exits': '进程启动时检查：退出',
  'dumps of the memory of a process are forbidden when it starts': '进程启动时禁止转储内存',
  'keys and plain code of the loader are wiped after use': '加载器用过的密钥和明文代码会清零',
  'no loader, check or interpreter of ours is in the package': '包内没有加入加载器、运行时检查或解释器',
  'parts of the shell are compared when a process starts': '进程启动时核对壳的各个部分',
  'dex files of the shell differ in names, texts and code': '壳的 DEX 文件，名称、文本和代码每次都不同',
  'the machine code of the interpreter is that of other builds': '解释器的机器码与其他加固结果相同',
  'the certificate of the release is not known: no key': '不知道发布证书：没有签名密钥',
  'it only reports, and there is nowhere to report to': '仅上报，但没有上报地址',
  'findings are sent to {detail}': '检测结果上报到 {detail}',
  'no check is in the package whose findings could be sent': '没有可上报的运行时检查',
  'the application has no enrolment key': '应用没有注册密钥',
  'the package may not use the network (no INTERNET permission)': '应用没有联网权限（INTERNET）',
  'the server has an http address, and the package allows no clear text':
    '接口服务器是 http 地址，而应用不允许明文传输',
  'a network security configuration decides whether the http address is reached':
    '能否访问 http 地址由网络安全配置决定',
  'a policy that the server deploys decides what is done about findings': '服务器部署了策略时，按策略处置发现的问题',
  'the app ends while the server cannot be reached': '连不上服务器时应用退出',
  'keeping what could not be sent': '保存未送达的事件',
  'Android before 5.0 loads the first dex file alone': 'Android 5.0 以下只加载第一个 DEX 文件',
  'the package has no code': '包中没有代码',
  'its Application {detail} is not in the package': '应用的 Application 类 {detail} 不在包中',
  'its Application {detail} is abstract': '应用的 Application 类 {detail} 是抽象类',
  'its Application has a final attachBaseContext': '应用的 Application 类的 attachBaseContext 是 final 方法',
  // ---- encrypted code
  'classes encrypted': '类已加密',
  'classes of the loader stay readable': '加载器自身的类保持可读',
  'a dex file that the app loads itself stays as it is': '由应用自行加载的 DEX 文件保持原样',
  'the package needs splits, whose code would not find encrypted classes':
    '应用依赖拆分包，拆分包中的代码会找不到已加密的类',
  'the code is too large for the memory of a process that starts ({detail})':
    '代码太大，进程启动时内存放不下（{detail}）',
  'Android 9 would make its Application without its own factory {detail}':
    'Android 9 上它的 Application 会绕过应用自己的组件工厂 {detail}',
  'the package has an instrumentation: Android loads its code before any loader':
    '包声明了 instrumentation：Android 会在加载器之前加载它的代码',
  'other packages load its code ({detail})': '其他应用会加载它的代码（{detail}）',
  'it asks for native libraries of the device, which only the loader of Android finds':
    '应用声明要用设备自带的原生库，只有系统的加载器能找到',
  '{detail} runs in an isolated process, where the certificate cannot be asked for':
    '{detail} 运行在隔离进程中，那里查不到签名证书',
  'its backup agent is made before any loader on Android before 10': 'Android 10 以下，它的备份代理先于加载器创建',
  '{detail} reads the dex files of the package itself': '{detail} 会自行读取包内的 DEX 文件',
  // ---- encrypted files
  'file encrypted': '文件已加密',
  'calls that open files redirected': '打开文件的调用已改为先解密',
  'no file is chosen': '没有选中任何文件',
  'no certificate or key file can be encrypted': '没有可以加密的证书或密钥文件',
  'the pattern {detail} matches no file': '模式 {detail} 没有匹配到任何文件',
  'only files below assets and raw resources are encrypted': '只加密 assets 目录下的文件和 raw 资源',
  'its content is that of no certificate or key': '内容不是证书或密钥',
  'the file is empty': '空文件',
  'larger than 8 MiB: the app would hold all of it in memory': '大于 8 MiB：应用读取时会整个放进内存',
  'an archive or code, which the app may load itself': '代码或归档文件，应用可能自行加载',
  'its name has unusual characters': '文件名含有特殊字符',
  'several resources have this file': '有多个资源使用这个文件',
  'packed in an unusual way': '压缩方式特殊',
  'no call of the package opens such files': '包中没有打开这类文件的调用',
  '{detail} reads it itself': '由 {detail} 自行读取',
  'native code may read it ({detail})': '本地代码可能读取它（{detail}）',
  'code that {detail} loads may open it': '{detail} 会动态加载代码，那些代码可能打开它',
  '{detail} may open it by reflection': '{detail} 可能通过反射打开它',
  '{detail} needs the stream of Android itself': '{detail} 需要系统自己的输入流',
  'it is opened by {detail}, which a rule keeps': '由保留规则中的 {detail} 打开',
  'it is opened by {detail} in another way': '{detail} 以其他方式打开它',
  '{detail} may read it as an entry': '{detail} 可能直接从安装包中读取它',
  'a font, which Android reads itself': '字体文件，由系统读取',
  'not compressed, so that Android may read it itself': '未压缩，系统可能直接读取',
  'Android may show or play the resource itself': '系统可能直接显示或播放这个资源',
  '{detail} names the resource': '{detail} 引用了这个资源',
  '{detail} names resources by address': '{detail} 通过地址引用资源',
  'a web view may load it': '网页视图可能加载它',
  'the package needs splits, whose code would open encrypted files': '应用依赖拆分包，拆分包中的代码会打开已加密的文件',
  'files of bundles are not encrypted by this version': '此版本不加密 AAB 中的文件',
  // ---- encrypted preferences
  'calls that open preferences redirected': '打开偏好设置的调用已改为加密存取',
  'no call of the package opens preferences': '包中没有打开偏好设置的调用',
  '{detail} decides itself which preferences are opened': '{detail} 自行决定打开哪个偏好设置文件',
  'native code or scripts may open preferences ({detail})': '本地代码或脚本可能打开偏好设置（{detail}）',
  'packages of the same user id may open preferences ({detail})':
    '使用同一 sharedUserId 的应用可能打开偏好设置（{detail}）',
  'settings pages of Android write it themselves ({detail})': '系统的设置页面会自行写入（{detail}）',
  '{detail} opens it for several processes or other apps': '{detail} 以多进程或对其他应用开放的方式打开它',
  '{detail} moves it to another storage area': '{detail} 会把它移到另一个存储区',
  'code of Google Play services may open it, too ({detail})': 'Google Play 服务的代码也可能打开它（{detail}）',
  'the web view of Android writes it': '由系统的网页视图写入',
  'the app allows backups: encrypted preferences that another phone restores count as absent':
    '应用允许备份：加密的偏好设置恢复到其他手机后视为不存在',
  'encryption of databases and of other files that the app writes': '数据库和应用写入的其他文件的加密',
  'preferences of bundles are not encrypted by this version': '此版本不加密 AAB 中应用的偏好设置',
  // ---- virtualised methods
  'methods virtualised': '方法已虚拟化',
  'a constructor or the initialiser of a class': '构造方法或类初始化方法',
  'native or abstract': '本地方法或抽象方法',
  'it locks an object': '方法会对对象加锁',
  'it has too many registers for the interpreter': '寄存器过多，解释器不支持',
  'it is too long for the interpreter': '方法过长，解释器不支持',
  'it has an instruction that Android does not know': '含有 Android 不认识的指令',
  'it uses method handles or call sites': '使用了方法句柄或动态调用点',
  'it calls {detail}, which asks who calls': '调用了 {detail}，其结果取决于调用者',
  'it names the static member {detail} by a class that inherits it': '通过子类名引用了继承来的静态成员 {detail}',
  'it calls {detail} of an interface above': '以 super 调用了接口的 {detail}',
  'it calls {detail} of an interface with an initialiser': '调用了带初始化方法的接口的 {detail}',
  'it writes the final field {detail}': '会写入 final 字段 {detail}',
  'no chosen method can be virtualised': '选中的方法都不能虚拟化',
  'the policy names no method: nothing is virtualised': '策略没有写明任何方法：不做虚拟化',
  'the pattern {detail} matches no class or method': '模式 {detail} 没有匹配到任何类或方法',
  'proof on a device: the interpreter ran on a host Android runtime (x86_64) and on emulated ARM processors':
    '真机验证尚未做过：解释器只在主机上的 Android 运行时（x86_64）和模拟的 ARM 处理器上运行过',
  'Android before 8.0 limits the references that an interpreter holds (minSdkVersion {detail})':
    'Android 8.0 以下限制了解释器可持有的引用数（minSdkVersion {detail}）',
  'the package needs splits, which have the native libraries': '应用依赖拆分包，原生库在拆分包中',
  'the interpreter is not built for {detail}, which the package supports': '应用支持 {detail}，而解释器没有这种版本',
  'the package had no native library: devices with another processor than {detail} do not install it any more':
    '包中原先没有原生库：处理器不是 {detail} 的设备将无法再安装',
  // ---- scripts and libraries
  'protected, strength {detail}': '已保护，强度 {detail}',
  'no script: {detail}': '不是脚本：{detail}',
  'the script keeps its original: {detail}': '脚本保持原样：{detail}',
  'the package has no scripts': '包中没有脚本',
  'stays: named by the policy': '保持原样：策略点名',
  'stays: {detail}': '保持原样：{detail}',
  'sections of symbols and debug information removed': '符号与调试节已删除',
  'has no symbols or debug information': '没有符号与调试信息',
  'cannot be trimmed: {detail}': '无法精简：{detail}',
  'the package has no library of others that is known or named': '包中没有已知或点名的第三方库',
  'the package has no native library': '包中没有原生库',
  // ---- kinds of packages
  'the file is a native library alone: it has no code, manifest or resources of an application':
    '这是单独的 SO 文件，没有应用的代码、清单和资源',
  'a library becomes part of an application: the option is for that application':
    '库会成为应用的一部分：此选项应作用于该应用',
  'this version does not do it in class files': '此版本不对类文件执行此选项',
  'the class file cannot be read: {detail}': '无法读取类文件：{detail}',
  'dex files of a library are left as they are': '库中的 DEX 文件保持原样',
  'printing to System.out in class files': '类文件中向 System.out 的打印',
  'the interpreter is not put into bundles by this version': '此版本不会把解释器放入 AAB',
  // ---- bundles
  'the store signs the bundle again: the key follows from a certificate that is not known here':
    '应用商店会重新签名：密钥由签名证书推导，而那张证书此处不知道',
  'the store signs the bundle again: the certificate of the app is not that of the upload':
    '应用商店会重新签名：应用的证书不是上传时的证书',
  'the store makes other APKs of the bundle: their files are not known here':
    '应用商店会由它生成另外的 APK：其中的文件此处不知道',
  'the store makes other APKs of the bundle: devices never see its ZIP structure':
    '应用商店会由它生成另外的 APK：设备看不到它的 ZIP 结构',
  'resource files of a bundle keep their names': 'AAB 的资源文件保持原名',
  'the store makes the packages that devices get: channels are written into APKs':
    '设备上的包由应用商店生成：渠道写在 APK 中',
  // ---- channels
  'a package for a channel was made on trial and read back': '已试做一个渠道包并读回核对',
  'the package has no signature: channels are written after signing': '包没有签名：渠道在签名之后写入',
  'no channel can be written: {detail}': '无法写入渠道：{detail}',
  'the profile of the code no longer fits: Android does not use it': '代码的基线配置文件不再相符：Android 不会使用它',
  'nothing to do': '没有可处理的内容',
} as const satisfies Readonly<Record<string, string>>
export type HardenText = keyof typeof HARDEN_TEXTS

export const isHardenText = (text: string): text is HardenText => Object.hasOwn(HARDEN_TEXTS, text)

/** The text with its detail: a name, a number or what an engine said. */
export function hardenText({ text, detail }: { text: HardenText; detail: string }, language: 'zh' | 'en'): string {
  return (language === 'zh' ? HARDEN_TEXTS[text] : text).replace('{detail}', () => detail)
}
