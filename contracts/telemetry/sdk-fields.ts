import type { EventType } from '#domain/vocabulary.ts'
import { OPTIONAL_FIELDS } from './policy.ts'
import type { WireEvent } from './wire.ts'

/**
 * Exactly what the SDKs send: the page 'security SDK' shows this table, the consent text is made of it, and a test compares it with what
 * both SDKs put on the wire. Personal in the sense of the law on personal information: it points at a person or a device.
 */
export type SdkPlatform = 'web' | 'android'
export type FieldNote = {
  name: keyof WireEvent
  platforms: readonly SdkPlatform[]
  personal: boolean
  /** Only where the app hands it over. */
  providedByApp?: true
  /** Where it comes from. */
  source: { zh: string; en: string }
  purpose: { zh: string; en: string }
}
const BOTH = ['web', 'android'] as const
const ANDROID = ['android'] as const

// biome-ignore format: one line a field
export const SDK_FIELDS: readonly FieldNote[] = [
  { name: 'event_id', platforms: BOTH, personal: false, source: { zh: 'SDK 生成的随机编号', en: 'random, made by the SDK' }, purpose: { zh: '去重：重复送达只计一次', en: 'counting once what arrives twice' } },
  { name: 'type', platforms: BOTH, personal: false, source: { zh: 'SDK', en: 'the SDK' }, purpose: { zh: '区分启动、风险、崩溃等', en: 'telling start, risk, crash and so on apart' } },
  { name: 'device_id', platforms: BOTH, personal: true, source: { zh: 'Web：随机编号；Android：ANDROID_ID 与包名的摘要。平台只存加密散列', en: 'web: a random id; Android: a hash of ANDROID_ID and package. The platform keeps a keyed hash only' }, purpose: { zh: '识别同一设备，判断攻击来源', en: 'recognizing the same device as the source of attacks' } },
  { name: 'occurred_at', platforms: BOTH, personal: false, source: { zh: '设备时钟，按服务器时间校正', en: "device clock, corrected by the server's" }, purpose: { zh: '事件的时间', en: 'when it happened' } },
  { name: 'reported_at', platforms: BOTH, personal: false, source: { zh: '设备时钟，按服务器时间校正', en: "device clock, corrected by the server's" }, purpose: { zh: '去重', en: 'counting once what arrives twice' } },
  { name: 'risk_type', platforms: BOTH, personal: false, source: { zh: 'SDK 的检查', en: 'checks of the SDK' }, purpose: { zh: '说明是哪一种风险', en: 'which risk it is' } },
  { name: 'action', platforms: BOTH, personal: false, source: { zh: '下发的策略', en: 'the deployed policy' }, purpose: { zh: '说明 SDK 做了什么', en: 'what the SDK did' } },
  { name: 'platform', platforms: BOTH, personal: false, source: { zh: 'SDK', en: 'the SDK' }, purpose: { zh: '区分 Android 与 Web', en: 'telling Android and web apart' } },
  { name: 'session_id', platforms: BOTH, personal: false, source: { zh: '每次启动随机生成', en: 'random at each start' }, purpose: { zh: '把一次使用中的事件连起来', en: 'joining the events of one use' } },
  { name: 'app_version', platforms: BOTH, personal: false, source: { zh: '应用', en: 'the app' }, purpose: { zh: '按版本统计，与基线比对', en: 'statistics by version, comparison with the baseline' } },
  { name: 'channel', platforms: BOTH, personal: false, providedByApp: true, source: { zh: '应用填写', en: 'set by the app' }, purpose: { zh: '按渠道统计', en: 'statistics by channel' } },
  { name: 'os', platforms: BOTH, personal: false, source: { zh: '系统名称与大版本', en: 'name and major version of the system' }, purpose: { zh: '按系统统计问题与攻击', en: 'problems and attacks by system' } },
  { name: 'model', platforms: BOTH, personal: false, source: { zh: 'Android：机型；Web：浏览器与大版本', en: 'Android: model; web: browser and major version' }, purpose: { zh: '按机型统计问题与攻击', en: 'problems and attacks by model' } },
  { name: 'brand', platforms: ANDROID, personal: false, source: { zh: '系统', en: 'the system' }, purpose: { zh: '按品牌统计', en: 'statistics by brand' } },
  { name: 'network', platforms: BOTH, personal: false, source: { zh: '网络类型，如 wifi、4g', en: 'kind of network, such as wifi or 4g' }, purpose: { zh: '判断代理与弱网', en: 'judging proxies and slow networks' } },
  { name: 'sdk_version', platforms: BOTH, personal: false, source: { zh: 'SDK', en: 'the SDK' }, purpose: { zh: '兼容与升级', en: 'compatibility and upgrades' } },
  { name: 'package_name', platforms: BOTH, personal: false, source: { zh: 'Android：包名；Web：页面域名', en: 'Android: package; web: host of the page' }, purpose: { zh: '发现重打包与仿冒', en: 'finding repackaged and pirated copies' } },
  { name: 'signer', platforms: ANDROID, personal: false, source: { zh: '安装包签名证书的 SHA-256', en: 'SHA-256 of the signing certificate' }, purpose: { zh: '发现重打包', en: 'finding repackaged copies' } },
  { name: 'user_id', platforms: BOTH, personal: true, providedByApp: true, source: { zh: '应用调用 setUser 时传入。平台只存加密散列', en: 'handed over with setUser. The platform keeps a keyed hash only' }, purpose: { zh: '找出受攻击的用户', en: 'finding the users under attack' } },
  { name: 'place', platforms: BOTH, personal: true, providedByApp: true, source: { zh: '应用调用 setPlace 时传入，SDK 自身不定位', en: 'handed over with setPlace; the SDK itself does not locate' }, purpose: { zh: '攻击的地区', en: 'where attacks come from' } },
  { name: 'consent', platforms: BOTH, personal: false, providedByApp: true, source: { zh: '与 place 同时发送', en: 'sent with place' }, purpose: { zh: '证明已同意提供位置', en: 'saying that the place may be told' } },
  { name: 'detail', platforms: BOTH, personal: true, source: { zh: '见下表', en: 'see the table below' }, purpose: { zh: '证据与排错', en: 'evidence, finding faults' } },
]

/** Members of `detail` by event. */
// biome-ignore format: one line an event
export const SDK_DETAILS: readonly { type: EventType; platforms: readonly SdkPlatform[]; holds: { zh: string; en: string } }[] = [
  { type: 'start', platforms: ['web'], holds: { zh: '页面路径（不含参数）、来源页地址（不含参数）', en: 'path of the page and address it came from, both without parameters' } },
  { type: 'env', platforms: ANDROID, holds: { zh: 'classes.dex 的 SHA-256；未能送达的事件数', en: 'SHA-256 of classes.dex; number of events that could not be sent' } },
  { type: 'risk', platforms: BOTH, holds: { zh: '该风险的证据：命中的文件、应用包名、进程库名、系统属性、代理地址、用户证书名、无障碍服务名等，每类最多 8 项', en: 'evidence of the risk: files, packages, library names, system properties, proxy address, names of user certificates, accessibility services, at most 8 of a kind' } },
  { type: 'crash', platforms: ANDROID, holds: { zh: '异常类名、消息、线程名、调用栈、空闲内存、之前 20 条操作痕迹', en: 'class, message, thread, stack, free memory, the 20 breadcrumbs before' } },
  { type: 'anr', platforms: ANDROID, holds: { zh: '主线程调用栈、停顿时长、之前 20 条操作痕迹', en: 'stack of the main thread, how long it hung, the 20 breadcrumbs before' } },
  { type: 'exception', platforms: BOTH, holds: { zh: '异常类名、消息、调用栈、之前 20 条操作痕迹（点了哪个元素、进入哪个页面，不含输入内容）', en: 'class, message, stack, the 20 breadcrumbs before (element clicked, page entered; nothing that was typed)' } },
  { type: 'web', platforms: ['web'], holds: { zh: '页面加载各阶段耗时、首次与最大绘制、布局偏移、长任务次数与时长、CSP 违规指令、开发者工具打开时的窗口差值、未能送达的事件数', en: 'times of loading, first and largest paint, layout shift, long tasks, policy violations, window margins with developer tools open, number of events that could not be sent' } },
]

/** Whether an operator may switch the field off (contracts/telemetry/policy.ts). */
export function isOptional(name: keyof WireEvent): boolean {
  return (OPTIONAL_FIELDS as readonly string[]).includes(name)
}
