import type { Location } from '../result/scan-result.ts'
import type { TextPart } from './text-parts.ts'

/** The privacy policy: given by the uploader, or a file of the package. */
export interface PolicyText {
  readonly text: string
  readonly location: Location | null
  /** Markup as it stood in the package, else null. */
  readonly html: string | null
}

const TITLE = /隐私(?:权|保护)?(?:政策|协议|声明|条款)|privacy policy/i
/** What a page of HTML has near its begin. */
const MARKUP = /<(?:!doctype|html|head|body|div|p|h[1-6]|br|meta)\b/i
const SHORTEST = 600
/** Characters of a policy that are read: none that people read is longer. */
const LONGEST = 500_000

/** The longest file that is a policy by title and content. */
export function findPolicy(given: string | null, parts: readonly TextPart[]): PolicyText | null {
  if (given?.trim()) {
    const html = MARKUP.test(given.slice(0, 4000)) ? given : null
    return { text: html === null ? given.slice(0, LONGEST) : plainText(html), location: null, html }
  }
  let best: PolicyText | null = null
  for (const { source, text, location } of parts) {
    if (source === 'code' || !TITLE.test(text.slice(0, 4000)) || /\.(?:js|json|bundle)$/.test(location.entry)) continue
    const plain = plainText(text)
    if (plain.length < SHORTEST || !/收集|collect/i.test(plain) || !/目的|用于|第三方|purpose|third part/i.test(plain))
      continue
    if (!best || plain.length > best.text.length)
      best = { text: plain, location, html: text.includes('<') ? text : null }
  }
  return best
}

function plainText(html: string): string {
  return withoutTags(without(without(html, 'script'), 'style'))
    .replace(/&nbsp;|&#160;/g, ' ')
    .replace(/\s+/g, ' ')
    .trim()
    .slice(0, LONGEST)
}

/** Each tag becomes a space; what is never closed is no tag. */
function withoutTags(html: string): string {
  const pieces: string[] = []
  let at = 0
  for (let begin = html.indexOf('<'); begin >= 0; begin = html.indexOf('<', at)) {
    const end = html.indexOf('>', begin)
    if (end < 0) break
    pieces.push(html.slice(at, begin))
    at = end + 1
  }
  pieces.push(html.slice(at))
  return pieces.join(' ')
}

/** Leaves out elements of a name with their content; an element that is never closed goes to the end. */
function without(html: string, name: string): string {
  const lower = html.toLowerCase()
  const pieces: string[] = []
  let at = 0
  for (let begin = lower.indexOf(`<${name}`); begin >= 0; begin = lower.indexOf(`<${name}`, at)) {
    pieces.push(html.slice(at, begin))
    const end = lower.indexOf(`</${name}>`, begin)
    if (end < 0) return pieces.join(' ')
    at = end + name.length + 3
  }
  pieces.push(html.slice(at))
  return pieces.join(' ')
}

/** Words by which a policy names a kind of personal information. */
const NAMES: Readonly<Record<string, RegExp>> = {
  location: /位置|定位|location/i,
  track: /轨迹|行踪|track/i,
  contacts: /通讯录|联系人|contacts/i,
  call_log: /通话记录|call log/i,
  sms: /短信|sms|text message/i,
  phone_number: /手机号|电话号码|phone number/i,
  imei: /imei|设备识别码|设备标识|device identif/i,
  imsi: /imsi/i,
  iccid: /iccid|sim卡/i,
  android_id: /android ?id|安卓id|安卓标识/i,
  oaid: /oaid|匿名设备标识/i,
  advertising_id: /广告标识|advertising id|idfa|gaid/i,
  mac_address: /mac ?地址|mac address|硬件地址/i,
  serial: /序列号|serial/i,
  device_id: /设备(?:标识|识别|信息)|device (?:id|info)/i,
  installed_apps: /应用列表|已安装(?:的)?应用|软件列表|installed app/i,
  app_usage: /应用使用|进程|app usage|running process/i,
  photo: /照片|相册|图片|相机|photo|camera/i,
  video: /视频|相机|摄像|video|camera/i,
  audio: /录音|麦克风|语音|声音|microphone|audio/i,
  face: /人脸|面部|face/i,
  id_card: /身份证|证件|identity card/i,
  health: /健康|心率|health/i,
  activity: /运动|步数|activity/i,
  calendar: /日历|日程|calendar/i,
  clipboard: /剪贴板|剪切板|clipboard/i,
  wifi_info: /wi-?fi|wlan|ssid|bssid|无线网络/i,
  cell_info: /基站|cell/i,
  network_info: /网络(?:类型|状态|信息)|运营商|network/i,
  ip_address: /\bip\b|ip地址/i,
  bluetooth: /蓝牙|bluetooth/i,
  sensor: /传感器|加速度|陀螺仪|sensor/i,
  account: /账号|帐号|账户|account/i,
}

/** Does the policy name this kind of personal information? True for kinds that it has no usual word for. */
export function namesInformation(policy: PolicyText, info: string): boolean {
  return NAMES[info]?.test(policy.text) ?? true
}

/** Sentences of a policy that say what is not collected. */
const denied = new WeakMap<PolicyText, string>()

/** Does the policy say that this is not collected? */
export function deniesInformation(policy: PolicyText, info: string): boolean {
  const name = NAMES[info]
  if (!name) return false
  let denials = denied.get(policy)
  if (denials === undefined) {
    const sentences = policy.text.split(/[。；;.!！\n]/)
    denials = sentences.filter((one) => /(?:不会|不|未)(?:收集|获取|读取|采集)/.test(one)).join('\n')
    denied.set(policy, denials)
  }
  return name.test(denials)
}

/** Does the policy name an SDK, its maker or one of its packages? */
export function namesSdk(policy: PolicyText, sdk: { readonly names: readonly string[] }): boolean {
  const text = policy.text.toLowerCase()
  return sdk.names.some((name) => name.length > 1 && text.includes(name.toLowerCase()))
}
