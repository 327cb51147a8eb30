/** Words of assets and detection (ASSET-02, DET-01, DET-02). Codes and keys are stored: never renumber. */

/** Package file types by their required numbers (ASSET-02); '' asks for all. */
export const FILE_TYPES = {
  '1': { kind: 'apk', zh: 'Android', en: 'Android' },
  '2': { kind: 'ipa', zh: 'iOS', en: 'IOS' },
  '3': { kind: 'jar', zh: 'JAR', en: 'JAR' },
  '5': { kind: 'so', zh: 'SO', en: 'SO' },
  '4': { kind: 'aar', zh: 'AAR', en: 'AAR' },
  '6': { kind: 'aab', zh: 'AAB', en: 'AAB' },
} as const
export type FileType = keyof typeof FILE_TYPES

/** The 21 application types; keys as in the privacy data. */
export const APPLICATION_TYPES = {
  financial_lending: { zh: '金融借贷', en: 'Financial lending' },
  online_payment: { zh: '网络支付', en: 'Online payment' },
  online_shopping: { zh: '网上购物', en: 'Online shopping' },
  online_car_hailing: { zh: '网络约车', en: 'Online car hailing' },
  short_video: { zh: '短视频', en: 'Short video' },
  traffic_ticketing: { zh: '交通票务', en: 'Traffic ticketing' },
  map_navigation: { zh: '地图导航', en: 'Map navigation' },
  express_delivery: { zh: '快递配送', en: 'Express delivery' },
  takeout_food: { zh: '餐饮外卖', en: 'Take-out food' },
  recruitment: { zh: '求职招聘', en: 'Recruitment' },
  house_rental_sale: { zh: '房屋租售', en: 'House rental and sale' },
  used_car: { zh: '二手车交易', en: 'Used-car trading' },
  consultation_registration: { zh: '问诊挂号', en: 'Consultation or medical registration' },
  news: { zh: '新闻资讯', en: 'News information' },
  blog_forum: { zh: '博客论坛', en: 'Blog forum' },
  security_management: { zh: '安全管理', en: 'Security management' },
  browser: { zh: '浏览器', en: 'Browser' },
  input_method: { zh: '输入法', en: 'Typewriting' },
  instant_messaging: { zh: '即时通信', en: 'Instant messaging' },
  exercise_fitness: { zh: '运动健身', en: 'Exercise and fitness' },
  marriage_dating: { zh: '婚恋相亲', en: 'Marriage and blind date' },
} as const
export type ApplicationType = keyof typeof APPLICATION_TYPES

export const DETECTION_KINDS = {
  vulnerability: { zh: '漏洞扫描', en: 'Vulnerability scan' },
  static: { zh: '静态检测', en: 'Static detection' },
  dynamic: { zh: '动态检测', en: 'Dynamic detection' },
  compliance: { zh: '合规与权限检测', en: 'Compliance and permission detection' },
  sdk: { zh: 'SDK 检测', en: 'SDK detection' },
  privacy: { zh: '个人隐私检测', en: 'Personal privacy detection' },
  content: { zh: '图文检测', en: 'Image and text detection' },
} as const
export type DetectionKind = keyof typeof DETECTION_KINDS

/** waiting, detecting (checking), detected (success, tested), failed, stopped. */
export const TASK_STATES = {
  waiting: { zh: '等待检测', en: 'Waiting' },
  detecting: { zh: '检测中', en: 'Detecting' },
  detected: { zh: '已检测', en: 'Detected' },
  failed: { zh: '检测失败', en: 'Failed' },
  stopped: { zh: '已停止', en: 'Stopped' },
} as const
export type TaskState = keyof typeof TASK_STATES

export const FINDING_LEVELS = {
  high: { zh: '高危', en: 'High' },
  middle: { zh: '中危', en: 'Middle' },
  low: { zh: '低危', en: 'Low' },
  info: { zh: '提示', en: 'Info' },
} as const
export type FindingLevel = keyof typeof FINDING_LEVELS

/** Whose code a finding is in; results of earlier versions have no `unknown`. */
export const OWNER_KINDS = {
  own: { zh: '自有代码', en: 'Own code' },
  sdk: { zh: '第三方库', en: 'Third-party library' },
  unknown: { zh: '归属未知', en: 'Unknown owner' },
} as const
export type OwnerKind = keyof typeof OWNER_KINDS

export const VERDICTS = {
  fail: { zh: '不通过', en: 'Fail' },
  pass: { zh: '通过', en: 'Pass' },
  not_applicable: { zh: '不适用', en: 'Not applicable' },
  not_assessed: { zh: '未评估', en: 'Not assessed' },
} as const
export type Verdict = keyof typeof VERDICTS

/** Fields of a package as the comparison names them. */
export const PACKAGE_FIELDS: Readonly<Record<string, { zh: string; en: string }>> = {
  id: { zh: '包名', en: 'Package name' },
  name: { zh: '名称', en: 'Name' },
  version: { zh: '版本', en: 'Version' },
  build: { zh: '构建号', en: 'Build' },
  minSdk: { zh: '最低系统', en: 'Minimum system' },
  targetSdk: { zh: '目标系统', en: 'Target system' },
  size: { zh: '大小（字节）', en: 'Size in bytes' },
  mainClass: { zh: '启动入口', en: 'Entry point' },
  abis: { zh: '处理器架构', en: 'ABIs' },
  dexCount: { zh: 'DEX 文件', en: 'DEX files' },
  classCount: { zh: '类', en: 'Classes' },
  packer: { zh: '加固壳', en: 'Packer' },
  signed: { zh: '已签名', en: 'Signed' },
  schemes: { zh: '签名方案', en: 'Schemes' },
  sha256: { zh: 'SHA-256', en: 'SHA-256' },
}

/** Stages of a task, in order; each is reported with its progress. */
export const TASK_STAGES = {
  queued: { zh: '排队', en: 'Queued' },
  unpack: { zh: '解包', en: 'Unpack' },
  manifest: { zh: '清单与签名', en: 'Manifest and signature' },
  code: { zh: '代码', en: 'Code' },
  native: { zh: '原生库', en: 'Native libraries' },
  rules: { zh: '规则', en: 'Rules' },
  privacy: { zh: '隐私与合规', en: 'Privacy and compliance' },
  content: { zh: '图文', en: 'Image and text' },
  install: { zh: '安装到手机', en: 'Install on the phone' },
  untouched: { zh: '启动后不操作', en: 'Started, untouched' },
  exercise: { zh: '自动操作', en: 'Exercise' },
  survey: { zh: '取证与清理', en: 'Survey and tidy up' },
  result: { zh: '汇总', en: 'Result' },
} as const
export type TaskStage = keyof typeof TASK_STAGES

const ON_PHONE: readonly TaskStage[] = ['install', 'untouched', 'exercise', 'survey']
const OF_PACKAGE: readonly TaskStage[] = ['rules', 'privacy', 'content']

/** The stages that a task of these kinds goes through, in order. */
export function stagesOf(kinds: readonly DetectionKind[]): TaskStage[] {
  const others = kinds.includes('dynamic') ? OF_PACKAGE : ON_PHONE
  return (Object.keys(TASK_STAGES) as TaskStage[]).filter((stage) => !others.includes(stage))
}

/** How long an application runs on a phone, in seconds: left alone after its start, then exercised. */
export const PHONE_RUNS = {
  short: { untouched: 6, exercise: 10, zh: '短', en: 'Short' },
  normal: { untouched: 20, exercise: 60, zh: '普通', en: 'Normal' },
  long: { untouched: 60, exercise: 300, zh: '长', en: 'Long' },
} as const
export type PhoneRun = keyof typeof PHONE_RUNS

/** Categories of the rule pack, in the order of menus. A category of an own rule that is not one of these is shown as written. */
export const ITEM_CATEGORIES: Readonly<Record<string, { readonly zh: string; readonly en: string }>> = {
  manifest: { zh: '清单配置', en: 'Manifest' },
  component: { zh: '组件', en: 'Components' },
  webview: { zh: 'WebView', en: 'WebView' },
  network: { zh: '网络通信', en: 'Network' },
  crypto: { zh: '密码算法', en: 'Cryptography' },
  storage: { zh: '数据存储', en: 'Storage' },
  secret_leak: { zh: '密钥泄露', en: 'Secrets' },
  code: { zh: '代码', en: 'Code' },
  anti_tamper: { zh: '防篡改', en: 'Tamper resistance' },
  native_library: { zh: '原生库', en: 'Native libraries' },
  signature: { zh: '签名', en: 'Signature' },
  third_party: { zh: '第三方组件', en: 'Third parties' },
  privacy: { zh: '隐私', en: 'Privacy' },
  own: { zh: '自有规则', en: 'Own rules' },
}

export function categoryName(category: string, language: 'zh' | 'en'): string {
  return ITEM_CATEGORIES[category]?.[language] ?? category
}

/** Whether a package is one file that a phone installs: which splits of a set fit it is not decided, and the others are no Android packages. */
export function runsOnPhone(packageKind: string): boolean {
  return packageKind === 'apk'
}
