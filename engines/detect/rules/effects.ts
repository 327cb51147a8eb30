import type { CallSite, Program, Value } from '../../dex/program.ts'
import { SCRIPT_ENGINES } from '../catalogue/script-engines.ts'
import type { Text } from '../result/scan-result.ts'
import { callsTo, isOwn, outerClass } from './code.ts'
import { type CodeContext, text } from './rule.ts'
import type { RuleContext } from './rule-context.ts'

/**
 * What a default of Android can act on. Each is true where code does it, and where that cannot be seen: hidden, missing, native, loaded and
 * called by reflection, or made of scripts.
 */
export interface Effects {
  /**
   * What a backup would hold: nothing; what Google's libraries keep for themselves (identifiers, measurements, settings); beside that files in
   * the application's folder on shared storage; or more, such as preferences, databases, files, and what a web view keeps.
   */
  readonly stores: 'nothing' | 'identifiers' | 'shared files' | 'data'
  /** Opens a connection, whatever its protocol. */
  readonly connects: boolean
  /** Opens connections by TLS. */
  readonly opensTls: boolean
  /** Sends something without TLS: false where every address of the package's own is one by TLS. */
  readonly sendsClear: boolean
  /** Names a server by TLS: false where every address is one without it. */
  readonly namesTls: boolean
  /** Shows pages of servers by https in a web view. */
  readonly opensHttpsPages: boolean
}

/** Text and level of a finding about a default: low, with the reason behind it, where the default has nothing to act on. */
export const unlessIdle = (
  detail: Text,
  hasEffect: boolean,
  reason: Text,
): readonly [detail: Text, level: 'low' | undefined] =>
  hasEffect ? [detail, undefined] : [text(`${detail.zh}；${reason.zh}`, `${detail.en}; ${reason.en}`), 'low']

const ALL: Effects = {
  stores: 'data',
  connects: true,
  opensTls: true,
  sendsClear: true,
  namesTls: true,
  opensHttpsPages: true,
}

const known = new WeakMap<Program, Effects>()

export function effectsOf(context: RuleContext): Effects {
  if (!isReadable(context)) return ALL
  const effects = known.get(context.program) ?? find(context)
  known.set(context.program, effects)
  return effects
}

/** Is all code there and readable, so that what is not seen in it is not done? */
function isReadable(context: RuleContext): context is CodeContext {
  const { program, facts, packer, codeGap, natives, texts, sdks } = context
  if (!program || !facts || facts.split || facts.sharedUserId || packer || codeGap) return false
  if (natives.length > 0 || texts.cut.length > 0) return false
  if (sdks.some(({ id, category }) => SCRIPT_ENGINES.has(id) || HIDING.has(category))) return false
  return !callsTo(context as CodeContext, ...UNSEEN).some((call) => isOwn(context as CodeContext, call))
}

const HIDING = new Set(['packer', 'hook_plugin', 'hotfix', 'game'])
/** Code that is not in the package, or is named at run time. */
const UNSEEN = [
  'Ldalvik/system/*',
  'Ljava/lang/reflect/Method;->invoke(',
  'Ljava/lang/reflect/Constructor;->newInstance(',
  'L*;->createPackageContext(',
]

/** What Android's own libraries bring into every application; what they keep and open, they do when other code asks. */
export const BROUGHT = /^L(?:androidx|android\/(?:support|arch)|kotlin|kotlinx|com\/google\/android\/material)\//

const STORES = [
  'Landroid/content/SharedPreferences*',
  'Landroid/preference/*',
  'Landroidx/preference/*',
  'L*;->getSharedPreferences(',
  'L*;->getPreferences(',
  'L*;->addPreferencesFromResource(',
  'L*;->setPreferencesFromResource(',
  'Landroid/database/sqlite/*',
  'L*;->openOrCreateDatabase(',
  'Landroidx/room/*',
  'Landroid/arch/persistence/*',
  'Landroidx/sqlite/*',
  'Landroidx/datastore/*',
  'Landroidx/security/crypto/*',
  'Lio/realm/*',
  'Lio/objectbox/*',
  'Lorg/greenrobot/greendao/*',
  'Lde/greenrobot/dao/*',
  'Lcom/orm/*',
  'Lcom/activeandroid/*',
  'Lorg/litepal/*',
  'Lcom/orhanobut/hawk/*',
  'Lio/paperdb/*',
  'Lcom/tencent/mmkv/*',
  'L*;->openFileOutput(',
  'L*;->getFilesDir(',
  'L*;->getDir(',
  'L*;->getDataDir(',
  'L*;->getDatabasePath(',
  'Landroid/webkit/WebView;->',
  'Landroid/webkit/CookieManager;->',
]

const SHARED = ['L*;->getExternalFilesDir', 'L*;->getExternalFilesDirs']

/** Libraries of Google that keep what is theirs, and no account, message or document of the person. */
const KEEPING_IDENTIFIERS = new Set([
  'gms-base',
  'gms-adid',
  'gms-location',
  'google-maps',
  'firebase-analytics',
  'fcm',
  'crashlytics',
  'firebase-core',
  'google-signin',
])
/** Parts of theirs that keep more: who signed in, and what was read or written. Some of their classes keep their names. */
const KEEPING_MORE = /^Lcom\/google\/firebase\/(?:auth\/FirebaseAuth(?:Registrar)?;|firestore\/|appindexing\/)/

/** What opens files to write. */
const WRITES = [
  'Ljava/io/FileOutputStream;-><init>',
  'Ljava/io/FileWriter;-><init>',
  'Ljava/io/RandomAccessFile;-><init>',
  'Ljava/io/PrintWriter;-><init>(Ljava/lang/String;',
  'Ljava/io/PrintWriter;-><init>(Ljava/io/File;',
  'Ljava/nio/file/Files;->',
  'Lkotlin/io/FilesKt*',
  'Lokio/Okio;->sink(Ljava/io/File;',
  'Lokio/Okio;->appendingSink(',
  'Lokio/Okio__*',
  'Lokio/FileSystem;->',
]

/** Libraries that write no files but those of a cache, which no backup holds, or where other code says: that code counts then. */
const CACHING = new Set(['okio', 'okhttp', 'retrofit', 'glide', 'volley', 'picasso', 'uil'])

const CONNECTS = [
  'Ljava/net/URL;->',
  'Ljava/net/Socket;-><init>',
  'Ljava/net/DatagramSocket;-><init>',
  'Ljava/net/ServerSocket;-><init>',
  'Ljava/nio/channels/*',
  'Ljavax/net/*',
  'Lorg/apache/http/*',
  'Lokhttp3/*',
  'Lcom/squareup/*',
  'Lretrofit2/*',
  'Lcom/android/volley/*',
  'Lcom/bumptech/glide/*',
  'Landroid/net/http/*',
  'Landroid/webkit/*',
  'Landroid/app/DownloadManager*',
  'Landroid/media/MediaPlayer;->',
  'Landroid/widget/VideoView;->',
]
const TLS = ['Ljavax/net/ssl/*', 'Landroid/net/SSLCertificateSocketFactory;->', 'Landroid/net/http/*']

/** Connections whose addresses have no scheme. */
const SOCKETS = [
  'Ljava/net/Socket;-><init>',
  'Ljava/net/DatagramSocket;-><init>',
  'Ljava/net/MulticastSocket;-><init>',
  'Ljava/net/ServerSocket;-><init>',
  'Ljava/nio/channels/*',
]

const TLS_SCHEME = /https|wss/i
const TLS_ADDRESS = /^\s*(?:https|wss):\/\/[\w.-]+/i
const CLEAR_ADDRESS = /^\s*(?:http|ws|ftp|rtmp|rtsp):\/\//i
/** What may become such an address: one anywhere in a text, or the scheme by itself. */
const MAYBE_CLEAR = /\b(?:http|ws|ftp|rtmp|rtsp|mqtt|tcp|telnet):\\?\/\\?\/|^\s*http:?\s*$|^:\/\/|%s:\/\//gi
/** Names of vocabularies and licences, which are no servers, and the device itself. */
const NO_SERVER =
  /^\s*https?:\/\/(?:schemas\.(?:android|microsoft|xmlsoap|openxmlformats)\.(?:com|org)|(?:www\.)?(?:w3|xmlpull|xml|apache|purl|gnu|opensource|creativecommons)\.org|(?:java|xml)\.(?:sun|apache)\.(?:com|org)|ns\.adobe\.com|localhost|127\.0\.0\.1)(?:[/:#]|$)/i
/** Where a library's messages send a reader. */
const DOCUMENTS =
  /^\s*https:\/\/(?:(?:www\.)?(?:w3|apache|ietf|mozilla|opensource|gnu)\.org|(?:[\w-]+\.)?github\.(?:com|io)|developer\.android\.com|developers\.google\.com|goo\.gl|g\.co|bit\.ly|issuetracker\.google\.com|code\.google\.com|kotlinlang\.org|youtrack\.jetbrains\.com|stackoverflow\.com)(?:[/:]|$)/i

function find(context: CodeContext): Effects {
  const { sdks } = context
  const does = (...apis: readonly string[]) =>
    callsTo(context, ...apis).some(({ method }) => !BROUGHT.test(method.owner))
  const ownDoes = (...apis: readonly string[]) => callsTo(context, ...apis).some((call) => isOwn(context, call))
  const stores = storesOf(context)
  const pages = loads(context)
  const addresses = addressesIn(context)
  const opensHttpsPages =
    ownHeirs(context, 'Landroid/webkit/WebViewClient;') || ownDoes('L*;->setWebViewClient(')
      ? pages.length > 0
      : pages.some((call) => !isClear(context, call))
  const isNamed = addresses.isTlsNamed || does(...TLS)
  return {
    stores,
    opensHttpsPages,
    connects:
      does(...CONNECTS) ||
      pages.length > 0 ||
      addresses.isTls ||
      addresses.isClear ||
      sdks.some((sdk) => isTalking(sdk)),
    // Where libraries can speak TLS and no address is there, addresses come from elsewhere.
    opensTls:
      addresses.isTls ||
      ownDoes(...TLS) ||
      pages.some((call) => !isClear(context, call)) ||
      (isNamed && !addresses.isClear),
    // Where no server is named, addresses come from elsewhere.
    sendsClear:
      !addresses.isTlsServer ||
      addresses.isMaybeClear ||
      ownDoes(...SOCKETS) ||
      (context.facts?.components ?? []).some(({ intentFilters }) =>
        intentFilters.some(({ data }) => data.some(({ scheme }) => scheme?.toLowerCase() === 'http')),
      ),
    namesTls: addresses.isTls || !addresses.isClear,
  }
}

function storesOf(context: CodeContext): Effects['stores'] {
  const { program, sdks, ownerOf } = context
  const sdkOf = ({ method }: CallSite) => ownerOf(method.owner).sdk ?? ''
  const stores = callsTo(context, ...STORES).filter(({ method }) => !BROUGHT.test(method.owner))
  const writes = callsTo(context, ...WRITES).filter(
    (call) => !BROUGHT.test(call.method.owner) && !CACHING.has(sdkOf(call)),
  )
  const shares = callsTo(context, ...SHARED).filter(({ method }) => !BROUGHT.test(method.owner))
  if (
    ownHeirs(context, 'Landroid/preference/PreferenceActivity;', 'Landroid/database/sqlite/SQLiteOpenHelper;') ||
    program.stringUses('/data/data/').length > 0
  )
    return 'data'
  if (!stores.length && !writes.length && !shares.length) return 'nothing'
  const keepsMore =
    sdks.some(({ id, state }) => id === 'google-signin' && state === 'called') ||
    callsTo(context, 'L*;->setPersistenceEnabled(').some((call) => isOwn(context, call)) ||
    [...program.classes()].some(({ descriptor }) => KEEPING_MORE.test(descriptor))
  const isTheirs = (call: CallSite) => !keepsMore && KEEPING_IDENTIFIERS.has(sdkOf(call))
  if (!stores.every(isTheirs)) return 'data'
  // Where nothing asks for a private folder, files are written to a shared one, or to a cache, which no backup holds.
  const [own, others] = [writes.filter((call) => isOwn(context, call)), writes.filter((call) => !isOwn(context, call))]
  if (!others.every(isTheirs) || (own.length && !shares.length)) return 'data'
  return shares.some((call) => !isTheirs(call)) ? 'shared files' : 'identifiers'
}

const ownHeirs = ({ program, ownerOf }: CodeContext, ...names: readonly string[]): boolean =>
  names.some((name) => program.subclassesOf(name).some(({ descriptor }) => ownerOf(descriptor).kind !== 'sdk'))

/** SDKs that talk to servers of their own. */
const SENDING = new Set([
  'analytics',
  'ads',
  'attribution',
  'push',
  'security_risk',
  'im',
  'share_social',
  'map_location',
  'payment',
  'crash_apm',
  'customer_service',
  'cloud_storage',
  'login_auth',
  'rtc_live',
  'update',
])

const isTalking = ({ state, category }: CodeContext['sdks'][number]): boolean =>
  state === 'called' && SENDING.has(category)

interface Addresses {
  /** Own code, a resource or a file names the scheme of TLS, whole or as a part of an address, or a library an address of a server by TLS. */
  readonly isTls: boolean
  /** Some text names the scheme of TLS. */
  readonly isTlsNamed: boolean
  /** Own code, a resource or a file names a server by TLS. */
  readonly isTlsServer: boolean
  /** Own code, a resource or a file holds an address without TLS. */
  readonly isClear: boolean
  /** The same, or what may become one, or an SDK that talks to its servers does. */
  readonly isMaybeClear: boolean
}

function addressesIn(context: CodeContext): Addresses {
  let isTls = false
  let isTlsNamed = false
  let isTlsServer = false
  let isClear = false
  let isMaybeClear = false
  const isAddress = (value: string) => CLEAR_ADDRESS.test(value) && !NO_SERVER.test(value)
  const see = (value: string, isOwnText: boolean) => {
    isTlsNamed ||= TLS_SCHEME.test(value)
    isTls ||= isOwnText ? TLS_SCHEME.test(value) : TLS_ADDRESS.test(value) && !DOCUMENTS.test(value)
    if (!isOwnText) return
    isClear ||= isAddress(value)
    isMaybeClear ||= [...value.matchAll(MAYBE_CLEAR)].some(({ index }) => !NO_SERVER.test(value.slice(index)))
    isTlsServer ||= [...value.matchAll(/\b(?:https|wss):\/\/[\w-]/gi)].some(
      ({ index }) => !DOCUMENTS.test(value.slice(index)) && !NO_SERVER.test(value.slice(index)),
    )
  }
  const talking = new Set(context.sdks.filter((sdk) => isTalking(sdk)).map(({ id }) => id))
  for (const piece of context.texts.pieces) if (!piece.constant) see(piece.text, true)
  // What is left of them below is in annotations, as Retrofit has them.
  const written = new Set(SCHEMES.flatMap((scheme) => [...context.program.textsBeginning(scheme)]))
  for (const { value, locations, fields } of context.program.stringConstants()) {
    written.delete(value)
    const owners = [
      ...locations.map(({ method }) => method.owner),
      ...fields.map((one) => one.slice(0, one.indexOf('->'))),
    ]
    see(value, owners.length === 0 || owners.some((owner) => context.ownerOf(owner).kind !== 'sdk'))
    isMaybeClear ||= isAddress(value) && owners.some((owner) => talking.has(context.ownerOf(owner).sdk ?? ''))
  }
  for (const value of written) see(value, true)
  return { isTls, isTlsNamed, isTlsServer, isClear, isMaybeClear }
}
const SCHEMES = ['http://', 'https://', 'ws://', 'wss://']

/** Calls, not of a library, that show something in a web view. */
const loads = (context: CodeContext): readonly CallSite[] =>
  callsTo(context, ...['loadUrl', 'loadDataWithBaseURL', 'postUrl', 'loadData'].map((name) => `L*;->${name}(`)).filter(
    (call) => isOwn(context, call),
  )

/** Does a call show what is in the package or what it is given, or a page without TLS? */
function isClear({ program }: CodeContext, call: CallSite): boolean {
  if (call.callee.includes(';->loadData(')) return true
  const isBase = call.callee.includes(';->loadDataWithBaseURL(')
  return program
    .possibleArguments(call, 1)
    .every((value: Value) =>
      value.kind === 'string' ? !/^\s*https:/i.test(value.value) : isBase && value.kind === 'null',
    )
}

/**
 * Does a web view of the class of this call only show what it is given, and never a page of a server? Links then open in a browser: the class
 * has no client that keeps them. False where that cannot be seen.
 */
export function showsGivenContent(context: CodeContext, call: CallSite): boolean {
  if (!isReadable(context)) return false
  const isNear = ({ method }: CallSite) => outerClass(method.owner) === outerClass(call.method.owner)
  const shown = loads(context).filter(isNear)
  return (
    shown.length > 0 &&
    shown.every((one) => /;->loadData(?:WithBaseURL)?\(/.test(one.callee)) &&
    !callsTo(context, 'L*;->setWebViewClient(', 'L*;->setWebChromeClient(').some(isNear)
  )
}
