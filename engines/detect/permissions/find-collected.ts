import type { ApkFacts } from '../../apk/apk-facts.ts'
import type { XmlElement } from '../../axml/read-axml.ts'
import type { CallSite } from '../../dex/program.ts'
import { PAGE_ENGINES, SCRIPT_ENGINES } from '../catalogue/script-engines.ts'
import { cordovaScriptsUse, isUnaskedPlugin } from '../evidence/cordova-plugins.ts'
import { layouts } from '../evidence/layouts.ts'
import { descriptorOf } from '../evidence/locations.ts'
import { attributeText, elementsOf } from '../evidence/xml-text.ts'
import type { InspectedPackage } from '../input/inspected-package.ts'
import { ownerName } from '../result/owner-name.ts'
import type { PermissionResult, SdkResult } from '../result/scan-result.ts'
import type { Access } from './collecting-apis.ts'
import { mayLeave, mayTake } from './may-take.ts'

/** What a package takes from the person or the device and may send away. */
export interface Collected {
  /** Kinds of information (`PERSONAL_INFORMATION`), sorted. */
  readonly kinds: readonly string[]
  /** SDKs that are called and known to collect. */
  readonly sdks: readonly SdkResult[]
  /** Entry of a layout that asks for an account; null where none does. */
  readonly form: string | null
  /** Is the account one that Android keeps, or that another application asks for, and not one that is typed into a form? */
  readonly takesAccount: boolean
  /** Was code seen that is not a library's and may send something? What is typed into a form leaves by it. */
  readonly ownSends: boolean
  /** Kinds that only Cordova plug-ins take which no script of the package asks: no part of `kinds`. */
  readonly unasked: readonly string[]
}

export interface CollectedFrom {
  readonly inspected: InspectedPackage
  readonly permissions: readonly PermissionResult[]
  readonly sdks: readonly SdkResult[]
  readonly accesses: () => readonly Access[]
}

/** Facts about the network, the processes and the sensors of a device do not say who uses it. */
const OF_PERSONS = new Set(
  'imei imsi iccid phone_number android_id oaid advertising_id mac_address serial device_id location cell_info wifi_info contacts call_log sms calendar audio photo installed_apps clipboard account'.split(
    ' ',
  ),
)
/** What a web view gives a page without a plug-in. */
const OF_WEB_VIEWS = new Set(['location', 'audio', 'photo'])
/** Libraries that can do what most applications never ask them to. */
const GENERAL = new Set(['androidx', 'support-lib', 'kotlin', 'gms-base'])
/** Google's sign-in and the core of Firebase come along with other parts of Google's services. */
const COMES_ALONG = new Set(['google-signin', 'firebase-core'])
/** The right to write files says nothing about reading those of the person. */
const STORAGE = /_EXTERNAL_STORAGE$|MANAGE_MEDIA$/
/** Services that see what the person reads and types. */
const WATCHES = /\.BIND_(?:ACCESSIBILITY|NOTIFICATION_LISTENER|AUTOFILL)_SERVICE$/

/** Methods of the telephone that code calls by their names. */
const REFLECTED = [
  ['imei', 'getDeviceId'],
  ['imei', 'getImei'],
  ['imei', 'getMeid'],
  ['imsi', 'getSubscriberId'],
] as const

/**
 * The personal information that an Android application collects: it takes it by an API, through an SDK or a form, and has a way to
 * send it. Null where nothing of the kind was found. What never leaves the device is not collected (GB/T 35273-2020, 3.5).
 */
export function findCollected(from: CollectedFrom): Collected | null {
  const before = known.get(from.permissions)
  if (before?.sdks === from.sdks) return before.collected
  const collected = collect(from)
  known.set(from.permissions, { sdks: from.sdks, collected })
  return collected
}

/** By the permissions that one scan judged. */
const known = new WeakMap<
  readonly PermissionResult[],
  { readonly sdks: readonly SdkResult[]; readonly collected: Collected | null }
>()

function collect({ inspected, permissions, sdks, accesses }: CollectedFrom): Collected | null {
  const { facts } = inspected
  if (!facts || !mayLeave(facts)) return null
  const called = sdks.filter(
    ({ id, personalInfo, state, confidence }) =>
      personalInfo.some((info) => mayTake(facts, info)) &&
      state === 'called' &&
      confidence !== 'low' &&
      !COMES_ALONG.has(id),
  )
  const idle = new Set(sdks.flatMap(({ id, state }) => (state === 'called' ? [] : id)))
  const counts = (owner: string | null) => owner === null || !(GENERAL.has(owner) || idle.has(owner))
  const scripted = isScripted(inspected, sdks)
  const callsAndroid = sdks.some(({ id }) => SCRIPT_ENGINES.has(id) && !PAGE_ENGINES.has(id))
  /** May a script take it, though no code of the package does? */
  const isScripts = (info: string) => scripted && (callsAndroid || OF_WEB_VIEWS.has(info))
  const kinds = new Set<string>()
  const unasked = new Set<string>()
  const isUnasked = (name: string | undefined) => name !== undefined && isUnaskedPlugin(inspected, name)
  for (const { name, dangerous, state, personalInfo, uses } of permissions)
    if (
      (dangerous || WATCHES.test(name)) &&
      !STORAGE.test(name) &&
      ((state === 'used' && uses.some(({ owner }) => counts(owner))) ||
        (state === 'unused' && isScripts(personalInfo[0] ?? '')))
    ) {
      const isAsked =
        state === 'unused' ||
        uses.some(({ owner, place }) => counts(owner) && !isUnasked(place.class && descriptorOf(place.class)))
      // What the permission for the telephone opens is seen call by call: code that listens for calls takes no number of a device.
      for (const info of personalInfo.slice(0, 1))
        if (info !== 'imei' || state === 'unused') (isAsked ? kinds : unasked).add(info)
    }
  for (const { info, owner, codeLocation } of accesses())
    if (OF_PERSONS.has(info) && counts(ownerName(owner)))
      (isUnasked(codeLocation.method.owner) ? unasked : kinds).add(info)
  for (const [info, name] of REFLECTED)
    for (const { method } of mayTake(facts, info) ? (inspected.program?.stringUses(name) ?? []) : [])
      if (counts(ownerName(inspected.ownerOf(method.owner)))) (isUnasked(method.owner) ? unasked : kinds).add(info)
  const takesAccount = kinds.has('account')
  const sending = isOnline(facts)
    ? called.length > 0 || scripted || sends(inspected, idle, SENDING)
    : sends(inspected, idle, TEXTING)
  // A page gets what its address holds.
  if (!sending && !(isOnline(facts) && opensPages(inspected))) return null
  const form = kinds.size || sending ? accountForm(inspected) : null
  if (form !== null) kinds.add('account')
  for (const info of kinds) unasked.delete(info)
  if (!kinds.size && !called.length && !unasked.size) return null
  // A recording or a photo leaves in the body of a request, not in an address.
  const inFiles =
    [...kinds, ...unasked].every((info) => FILES.has(info)) && !called.length && !scripted && isOnline(facts)
  if (inFiles && !sends(inspected, idle, UPLOADING)) return null
  return {
    kinds: [...kinds].sort(),
    sdks: called,
    form,
    takesAccount,
    ownSends: scripted || ownSends(inspected),
    unasked: [...unasked].sort(),
  }
}

/** Do scripts that were not read, or that may take and send, make the screens? */
export const isScripted = (inspected: InspectedPackage, sdks: readonly SdkResult[]): boolean =>
  sdks.some(({ id }) => SCRIPT_ENGINES.has(id) && !(id === 'cordova' && isQuiet(inspected)))

/** Do scripts of Cordova, all of which are in the package, ask nothing of the person or the web view themselves and send nothing? */
const isQuiet = (inspected: InspectedPackage): boolean =>
  cordovaScriptsUse(
    inspected,
    /geolocation|getUserMedia|XMLHttpRequest|\bfetch\b|WebSocket|sendBeacon|\bajax\b|\$http|<form|type=["']?(?:password|email|tel)/i,
  ) === false

const TEXTING = [
  'Landroid/telephony/SmsManager;->sendTextMessage',
  'Landroid/telephony/SmsManager;->sendMultipartTextMessage',
  'Landroid/telephony/SmsManager;->sendDataMessage',
  'Landroid/telephony/gsm/SmsManager;->sendTextMessage',
  'Landroid/telephony/gsm/SmsManager;->sendMultipartTextMessage',
  'Landroid/telephony/gsm/SmsManager;->sendDataMessage',
  'Ldalvik/system/*',
]
/** What sends more than an address. */
const UPLOADING = [
  'Ljava/net/URLConnection;->setDoOutput(',
  'Ljava/net/URLConnection;->getOutputStream(',
  'Ljava/net/HttpURLConnection;->setDoOutput(',
  'Ljava/net/HttpURLConnection;->getOutputStream(',
  'Ljavax/net/ssl/HttpsURLConnection;->setDoOutput(',
  'Ljavax/net/ssl/HttpsURLConnection;->getOutputStream(',
  'Ljava/net/Socket;-><init>',
  'Ljava/net/DatagramSocket;-><init>',
  'Ljavax/net/*',
  'Lorg/apache/http/*',
  'Lokhttp3/*',
  'Lcom/squareup/okhttp/*',
  ...TEXTING,
  'Landroid/webkit/WebView;->postUrl(',
  'Landroid/webkit/WebView;->addJavascriptInterface(',
  // A page then takes and sends them itself.
  'Landroid/webkit/PermissionRequest;->grant(',
  'Landroid/webkit/ValueCallback;->onReceiveValue(',
]
const SENDING = ['Ljava/net/URL;->openConnection', 'Ljava/net/URL;->openStream', ...UPLOADING]
/** Information that is a file. */
const FILES = new Set(['audio', 'photo'])
const isOnline = ({ permissions, sharedUserId }: ApkFacts): boolean =>
  sharedUserId !== null || permissions.some(({ name }) => name === 'android.permission.INTERNET')
/** Symbols of the C library that a native library with network code imports. */
const NATIVE_SENDING = ['connect', 'sendto', 'getaddrinfo', 'dlsym']
/** What Android's own libraries bring into every application. */
const BROUGHT = /^L(?:androidx|android\/support|com\/google\/android\/gms)\//

/**
 * Is there code that could send what a form takes? A page that is only shown does not, nor a library that nothing calls; native and loaded
 * code may.
 */
function sends(inspected: InspectedPackage, idle: ReadonlySet<string>, apis: readonly string[]): boolean {
  const { program, ownerOf } = inspected
  if (!program) return true
  const counts = ({ method: { owner } }: CallSite) => !BROUGHT.test(owner) && !idle.has(ownerOf(owner).sdk ?? '')
  if (apis.some((api) => program.callsTo(api).some(counts))) return true
  return apis !== TEXTING && nativeSends(inspected)
}

function nativeSends({ entries, read }: InspectedPackage): boolean {
  const imports = (name: string) => {
    const bytes = Buffer.from(read(name) ?? [])
    return NATIVE_SENDING.some((symbol) => bytes.includes(`\0${symbol}\0`))
  }
  return entries.some(({ name }) => name.endsWith('.so') && imports(name))
}

/** Libraries that send what they are given, called by their names. */
const CLIENTS = [
  'Lretrofit2/*',
  'Lretrofit/*',
  'Lcom/android/volley/*',
  'Lcom/loopj/*',
  'Lcom/google/firebase/*',
  'Lcom/parse/*',
  'Lcom/koushikdutta/*',
  'Lcom/androidnetworking/*',
  'Lcom/lzy/okgo/*',
  'Lcom/zhy/http/*',
  'Lcom/yanzhenjie/*',
  'Lcom/apollographql/*',
  'Lorg/xutils/*',
  'Lcom/lidroid/xutils/*',
  'Lcn/bmob/*',
  'Lio/ktor/*',
  'Lio/grpc/*',
  'Lio/socket/*',
  'Lorg/java_websocket/*',
  'Lorg/eclipse/paho/*',
]

/** Does code that is not a library's call what sends something, in an address too, or may native code do so? */
export const ownSends = (inspected: InspectedPackage): boolean => {
  const { program, ownerOf } = inspected
  return (
    !program ||
    [...SENDING, ...CLIENTS].some((api) =>
      program.callsTo(api).some(({ method: { owner } }) => !BROUGHT.test(owner) && ownerOf(owner).kind !== 'sdk'),
    ) ||
    nativeSends(inspected)
  )
}

const opensPages = ({ program }: InspectedPackage): boolean =>
  !program || program.callsTo('Landroid/webkit/WebView;->loadUrl(').length > 0

const FIELD = /(?:^|[_/])(?:user_?name|account|e_?mail|phone|mobile|tel|id_?card)/i
const HINT = /手机号|邮箱|账号|身份证|真实姓名|e-?mail|phone number|user ?name/i
const PASSWORD_FIELD = /(?:^|[_/])(?:pass(?:w(?:or)?d)?|pwd)/i
const PASSWORD_HINT = /密码|password/i

const TEXT_FIELD = /EditText$|AutoCompleteTextView$|TextInputLayout$/

/** What a text field is for. */
function fieldOf({ resources }: InspectedPackage, element: XmlElement) {
  const type = Number(attributeText(element, 'inputType') ?? 0)
  const id = Number(attributeText(element, 'id')?.replace('@', ''))
  return {
    type,
    variation: type & 0xff0,
    isText: (type & 0xf) === 1,
    name: Number.isNaN(id) ? '' : (resources?.nameOf(id) ?? ''),
    hint: attributeText(element, 'hint', resources) ?? '',
  }
}

function isPassword(inspected: InspectedPackage, element: XmlElement): boolean {
  const { type, variation, isText, name, hint } = fieldOf(inspected, element)
  return (
    (isText && [0x80, 0x90, 0xe0].includes(variation)) ||
    ((type & 0xf) === 2 && variation === 0x10) ||
    PASSWORD_FIELD.test(name) ||
    PASSWORD_HINT.test(hint)
  )
}

/** Does a layout have a text field for a password? */
export const asksForPassword = (inspected: InspectedPackage): boolean =>
  layouts(inspected).some(({ root }) =>
    [...elementsOf(root)].some(({ element }) => TEXT_FIELD.test(element.name) && isPassword(inspected, element)),
  )

/**
 * The first layout with a text field for an account, a telephone number or an address, or for a password beside another text field: a
 * password alone is a lock of the device.
 */
function accountForm(inspected: InspectedPackage): string | null {
  const found = layouts(inspected).find(({ root }) => {
    let others = 0
    let passwords = 0
    for (const { element } of elementsOf(root)) {
      if (!TEXT_FIELD.test(element.name)) continue
      const { type, variation, isText, name, hint } = fieldOf(inspected, element)
      if ((type & 0xf) === 3 || (isText && [0x20, 0xd0].includes(variation))) return true
      if (FIELD.test(name) || HINT.test(hint)) return true
      if (isPassword(inspected, element)) passwords++
      else if (element.name.endsWith('EditText') || element.name.endsWith('AutoCompleteTextView')) others++
    }
    return passwords > 0 && others > 0
  })
  return found?.entry ?? null
}
