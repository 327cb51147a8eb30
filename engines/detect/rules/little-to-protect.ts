import type { ClassFacts } from '../../dex/program.ts'
import { asksForPassword, findCollected, isScripted, ownSends } from '../permissions/find-collected.ts'
import type { FindingLevel, Text } from '../result/scan-result.ts'
import { isOwn } from './code.ts'
import { effectsOf } from './effects.ts'
import { credentialResources, literalCredentials } from './literal-credentials.ts'
import { type CodeContext, text } from './rule.ts'
import type { RuleContext } from './rule-context.ts'

/** A class that the build generates. */
export const isGenerated = ({ descriptor }: ClassFacts): boolean => /\/(?:R(?:\$\w+)?|BuildConfig);$/.test(descriptor)

/**
 * Code units of own classes below which there is hardly anything in them to protect: the shell around pages, an example, a stopwatch. Two units
 * are about one instruction; readers of samples found protections too much to ask of 1,080 and 1,300 instructions, not of 2,500.
 */
const LITTLE_CODE = 3000

/** Is there next to no code that may be the application's own? Native libraries and code that it loads while it runs count as code. */
function hasLittleCode(context: RuleContext): boolean {
  const { program, ownerOf, natives, codeGap } = context
  if (!program || codeGap || natives.length > 0) return false
  if (loadsCode(context)) return false
  let units = 0
  for (const found of program.classes()) {
    if (isGenerated(found) || ownerOf(found.descriptor).kind === 'sdk') continue
    for (const { codeSize } of found.methods) units += codeSize
    if (units >= LITTLE_CODE) return false
  }
  return true
}

/** May code run that is not in the package? */
const loadsCode = (context: RuleContext): boolean =>
  CODE_LOADERS.some((name) =>
    context
      .program!.callsTo(`Ldalvik/system/${name};-><init>`)
      .some(({ method }) => context.ownerOf(method.owner).kind !== 'sdk'),
  )
const CODE_LOADERS = ['DexClassLoader', 'InMemoryDexClassLoader', 'PathClassLoader', 'BaseDexClassLoader']

/** Permissions that data or money go through. */
const CONNECTING = /^com\.android\.vending\.|BILLING|\.(?:INTERNET|NFC|BLUETOOTH\w*)$/
/** Of the user's files, which anybody may read who has the device. */
const FILES = /^android\.permission\.(?:READ|WRITE)_EXTERNAL_STORAGE$/

/** Keeps secrets or checks whether it was paid for. */
const GUARDS = ['Ljavax/crypto/*', 'Ljava/security/KeyStore;->', 'Landroid/accounts/*']

export type Judged = readonly [detail: Text, level: FindingLevel | undefined]

const because = (detail: Text, zh: string, en: string): Judged => [
  text(`${detail.zh}；${zh}`, `${detail.en}; ${en}`),
  'low',
]

/** Text and level of a finding that code is readable: low, with the reason behind it, for next to no own code. */
const worthHiding = (context: RuleContext, detail: Text): Judged =>
  hasLittleCode(context) ? because(detail, '自有代码极少', 'there is next to no own code') : [detail, undefined]

/** What a missing protection leaves open: the names of a build, its code, or the package as a whole. */
type Open = 'names' | 'code' | 'package'

/**
 * Text and level of a finding that a protection is missing: low, with the reason behind it, for next to no own code, for code that the
 * device alone sees, without network, personal data, payment and secrets, and where code may send, but handles nothing of worth.
 */
export const worthProtecting = (context: RuleContext, detail: Text, open: Open): Judged => {
  if (isAlone(context)) return alone(detail)
  const [text, level] = worthHiding(context, detail)
  if (level) return [text, level]
  if (isKeptToItself(context))
    return because(
      detail,
      '自有代码不联网，未见账号、密码、支付、广告或密钥',
      'own code does not use the network, and no account, password, payment, advertising or keys were seen',
    )
  if (!handlesNothing(context, open)) return [text, level]
  return open === 'names'
    ? because(
        detail,
        '该包为调试构建，未见账号、密码、支付、密钥或个人信息',
        'the package is a build to debug, and no account, password, payment, keys or personal data were seen',
      )
    : because(
        detail,
        '未见代码处理账号、密码、支付、密钥或个人信息',
        'no code that handles an account, password, payment, keys or personal data was seen',
      )
}

/**
 * Text and level of a finding that a version of Android is old: low where the device alone sees what the application does. Without any
 * permission that holds for native code too.
 */
export const worthUpdating = (context: RuleContext, detail: Text, level: FindingLevel | undefined): Judged =>
  level !== 'info' && level !== 'low' && (isAlone(context) || mayNothing(context)) ? alone(detail) : [detail, level]

/** Text and level of a finding that code of the package can be replaced: low where that code may do nothing and finds nothing. */
export const worthReplacing = (context: RuleContext, detail: Text, level: FindingLevel): Judged =>
  mayNothing(context) && effectsOf(context).stores === 'nothing'
    ? because(
        detail,
        '应用没有任何权限，也未见其存储数据，植入的代码一无所得',
        'the application has no permission and stores nothing, so that code that is put into it gains nothing',
      )
    : [detail, level]

/** Has it no permission at all, and no keys? */
const mayNothing = (context: RuleContext): boolean =>
  context.facts?.permissions.length === 0 && hasNothingToGuard(context, CONNECTING, FILES, true)

const alone = (detail: Text): Judged =>
  because(
    detail,
    '应用不能联网，未见其涉及个人信息、支付或密钥',
    'the application cannot use the network, and no personal data, payment or keys were seen',
  )

const isAlone = (context: RuleContext): boolean => hasNothingToGuard(context, CONNECTING, FILES)

/** Leaves the network to libraries that neither earn money nor know who the person is; pictures stay where they are taken. */
function isKeptToItself(context: RuleContext): boolean {
  const { sdks } = context
  return (
    hasNothingToGuard(context, CONNECTING_OTHERWISE, FILES_AND_CAMERA) &&
    !sdks.some(({ state, category }) => state === 'called' && VALUABLE.has(category)) &&
    !isScripted(context, sdks) &&
    !ownSends(context) &&
    !ownPages(context as CodeContext) &&
    !asksForPassword(context) &&
    !literalCredentials(context as CodeContext).length &&
    !credentialResources(context).length
  )
}

/**
 * Is there nothing that code guards, though it may send: no sign-in, money, keys or personal data? Pages ask for what they want: a copy of the
 * package could take it, but code hides nothing of it. Names of a build that is not to debug are shortened by the build alone, whatever they say.
 */
function handlesNothing(context: RuleContext, open: Open): boolean {
  const { facts, sdks } = context
  return (
    (open !== 'names' || facts?.debuggable?.value === true) &&
    hasNothingToGuard(context, WORTH, HARMLESS) &&
    !sdks.some(({ state, category }) => state === 'called' && VALUABLE.has(category)) &&
    !facts!.components.some(({ permission }) => permission && WATCHES.test(permission)) &&
    !isScripted(context, sdks) &&
    !loadsCode(context) &&
    (open !== 'package' || !ownPages(context as CodeContext)) &&
    !asksForPassword(context) &&
    !literalCredentials(context as CodeContext).length &&
    !credentialResources(context).length &&
    !takesPersonalData(context) &&
    !namesAccounts(context as CodeContext, open)
  )
}

/** Of money, all files of the person, and what the person does with other applications. */
const WORTH = /^com\.android\.vending\.|BILLING|\.(?:NFC|MANAGE_EXTERNAL_STORAGE|PACKAGE_USAGE_STATS)$/
/** Of files, pictures, devices nearby and notices on the screen. */
const HARMLESS =
  /^android\.permission\.(?:READ_EXTERNAL_STORAGE|WRITE_EXTERNAL_STORAGE|READ_MEDIA_\w+|ACCESS_MEDIA_LOCATION|CAMERA|BLUETOOTH_\w+|POST_NOTIFICATIONS)$/
/** Services that see what the person reads, types and sends, and administrators of the device. */
const WATCHES =
  /\.BIND_(?:ACCESSIBILITY_SERVICE|NOTIFICATION_LISTENER_SERVICE|AUTOFILL_SERVICE|INPUT_METHOD|VPN_SERVICE|DEVICE_ADMIN)$/

function takesPersonalData(context: RuleContext): boolean {
  const collected = findCollected({ ...context, inspected: context })
  return collected !== null && [...collected.kinds, ...collected.unasked].some((info) => !OF_THE_MOMENT.has(info))
}
/** Devices nearby, and what the person pastes. */
const OF_THE_MOMENT = new Set(['bluetooth', 'clipboard'])

/** Does a text of own code speak of accounts or money? In addresses of pages such words say nothing of the code that opens them. */
function namesAccounts(context: CodeContext, open: Open): boolean {
  for (const { value, locations } of context.program.stringConstants())
    if (ACCOUNTS.test(open === 'package' ? value : value.replace(ADDRESSES, '')))
      if (locations.some((location) => isOwn(context, location))) return true
  return false
}
const ACCOUNTS =
  /passw|pwd|log[-_ ]?in|sign[-_ ]?in|token|authori[sz]|account|secret|payment|wallet|密码|登录|登錄|账号|帐号|帳號|支付|口令/i
const ADDRESSES = /\b(?:https?:\/\/)?[\w-]+(?:\.[\w-]+)+(?:[/?#][^\s"'<>]*)?/g

const ownPages = (context: CodeContext): boolean =>
  PAGES.some((api) => context.program.callsTo(api).some((call) => isOwn(context, call)))

const CONNECTING_OTHERWISE = /^com\.android\.vending\.|BILLING|\.(?:NFC|BLUETOOTH\w*)$/
const FILES_AND_CAMERA = /^android\.permission\.(?:READ_EXTERNAL_STORAGE|WRITE_EXTERNAL_STORAGE|CAMERA)$/
/** SDKs that bring money or accounts, or work on what is private. */
const VALUABLE = new Set([
  'ads',
  'attribution',
  'payment',
  'login_auth',
  'im',
  'share_social',
  'security_risk',
  'customer_service',
  'ai_face_ocr',
  'rtc_live',
  'game',
  'hotfix',
  'hook_plugin',
  'mini_program',
])
/** Own code that shows pages or fetches files. */
const PAGES = ['Landroid/webkit/*', 'Lcom/tencent/smtt/*', 'Landroid/app/DownloadManager*']

function hasNothingToGuard(context: RuleContext, connecting: RegExp, harmless: RegExp, withNatives = false): boolean {
  const { program, facts, permissions, natives, codeGap, packer } = context
  if (!program || !facts || facts.sharedUserId || codeGap || packer) return false
  if (natives.length > 0 && !withNatives) return false
  return (
    facts.permissions.every(({ name }) => !connecting.test(name)) &&
    permissions.every(({ name, dangerous, state }) => !dangerous || state === 'undeclared' || harmless.test(name)) &&
    GUARDS.every((api) => !program.callsTo(api).some((call) => isOwn(context as CodeContext, call)))
  )
}
