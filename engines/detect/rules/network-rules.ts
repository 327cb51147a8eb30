import type { CallSite, ClassFacts, CodeLocation, MethodFacts, Program } from '../../dex/program.ts'
import { dotted } from '../evidence/locations.ts'
import { elementsOf } from '../evidence/xml-text.ts'
import { isFinance } from './application-type.ts'
import {
  callHits,
  callsIn,
  callsTo,
  classCalls,
  isOwn,
  outerClass,
  overrides,
  parameterTypes,
  stringArgument,
} from './code.ts'
import { constantHost } from './constant-host.ts'
import { guardedByDebug } from './debug-guard.ts'
import { codeHit, methodHit, wholeHit } from './hits.ts'
import { networkConfig, trustsOnlyBundled } from './network-config-rules.ts'
import type { TextPiece } from './package-texts.ts'
import { pieceHit } from './pieces.ts'
import {
  type CodeContext,
  codeRule,
  type Hit,
  type ManifestContext,
  notApplicable,
  type RuleTable,
  text,
} from './rule.ts'
import { traceArgument } from './trace.ts'
import { isUnused } from './unused-code.ts'

const LOGGING =
  /^L(?:android\/util\/Log|java\/io\/PrintStream|java\/lang\/(?:StringBuilder|StringBuffer|String|Object|System|Throwable)|kotlin\/jvm\/internal\/Intrinsics|timber\/log\/Timber[^;]*);->/
const LOCAL = /^(?:localhost|127\.|10\.0\.2\.2(?:$|:)|0\.0\.0\.0|\[?::1)/
/** Hosts that name a document or a namespace, never a connection. */
const NAMESPACE_HOST =
  /^(?:schemas\.(?:android|microsoft|openxmlformats|xmlsoap)\.(?:com|org)|(?:www\.)?w3\.org|xmlpull\.org|(?:www\.)?xml\.org|(?:www\.)?apache\.org|ns\.adobe\.com|purl\.org|java\.sun\.com|xml\.apache\.org|json-schema\.org|ns\.google\.com|www\.opengis\.net|relaxng\.org|xmlns\.[\w.]+|www\.xmlpull\.org|javax\.xml[\w.]*|[\w.]*\.?slf4j\.org|(?:www\.)?gnu\.org|www\.mozilla\.org|creativecommons\.org|opensource\.org|(?:www\.)?ietf\.org|tools\.ietf\.org|iptc\.org|dublincore\.org|www\.topografix\.com|code\.google\.com|developer\.android\.com|goo\.gl|g\.co|bit\.ly)$/i

export const networkRules: RuleTable = {
  'android-trust-manager-empty': codeRule((context) => {
    const hits: Hit[] = []
    for (const { owner, method } of trustMethods(context)) {
      if (!doesNothing(context, method)) continue
      const made =
        isMade(context, owner) && !isSwitchedOff(context, owner.descriptor) && !isMadeForNothing(context, owner)
      const level = !made
        ? 'info'
        : owner.descriptor === ACRA
          ? 'low'
          : madeUnderDebug(context, owner)
            ? 'middle'
            : undefined
      hits.push(
        methodHit(
          owner,
          method,
          'checkServerTrusted',
          made
            ? text('checkServerTrusted 不做任何检查', 'checkServerTrusted checks nothing')
            : text(
                'checkServerTrusted 不做任何检查，该类未被使用',
                'checkServerTrusted checks nothing; the class is never made or used',
              ),
          level,
        ),
      )
    }
    return hits
  }),

  'android-hostname-verifier-allow-all': codeRule((context) => {
    const hits: Hit[] = []
    for (const { owner, method } of overrides(context.program, 'Ljavax/net/ssl/HostnameVerifier;', 'verify')) {
      const values = context.program.returns(method)
      const always = values.length > 0 && values.every((value) => value.kind === 'number' && Number(value.value) === 1)
      const name = always ? undefined : constantHost(context, method)
      if (name !== undefined && isMade(context, owner))
        hits.push(
          methodHit(
            owner,
            method,
            `verify ${name}`,
            text(
              `verify 用常量 "${name}" 代替服务器名比较：该名称的证书对任何服务器都有效`,
              `verify compares with the constant "${name}" and not with the name of the server: a certificate for it is good for every server`,
            ),
            'middle',
          ),
        )
      if (!always || method.returns !== 'Z' || !isMade(context, owner)) continue
      if (isMadeForNothing(context, owner))
        hits.push(
          methodHit(
            owner,
            method,
            'verify',
            text(
              'verify 总是返回 true，但只有从未被调用的方法创建它',
              'verify always returns true; only methods that nothing calls make it',
            ),
            'info',
          ),
        )
      else
        hits.push(
          isSwitchedOff(context, owner.descriptor)
            ? methodHit(
                owner,
                method,
                'verify',
                text(
                  'verify 总是返回 true，仅在库的可选开关打开时使用，没有代码打开它',
                  'verify always returns true; only with an option of the library that no code turns on',
                ),
                'info',
              )
            : methodHit(owner, method, 'verify', text('verify 总是返回 true', 'verify always returns true')),
        )
    }
    for (const use of context.program.fieldUses(
      'Lorg/apache/http/conn/ssl/SSLSocketFactory;->ALLOW_ALL_HOSTNAME_VERIFIER',
    ))
      if (!use.write && !use.method.owner.startsWith('Lorg/apache/http/'))
        hits.push(
          isSwitchedOff(context, use.method.owner)
            ? codeHit(
                use,
                'ALLOW_ALL',
                text(
                  '使用 ALLOW_ALL_HOSTNAME_VERIFIER，仅在库的可选部分中，没有代码用到它',
                  'uses ALLOW_ALL_HOSTNAME_VERIFIER in a part of the library that no code asks for',
                ),
                'info',
              )
            : codeHit(use, 'ALLOW_ALL', text('使用 ALLOW_ALL_HOSTNAME_VERIFIER', 'uses ALLOW_ALL_HOSTNAME_VERIFIER')),
        )
    return hits.concat(
      callHits(
        context,
        ['Lorg/apache/http/conn/ssl/AllowAllHostnameVerifier;-><init>('],
        (call) => !call.method.owner.startsWith('Lorg/apache/http/'),
      ),
    )
  }),

  'android-ssl-socket-no-hostname': codeRule((context) =>
    callHits(context, ['Ljavax/net/ssl/SSLSocketFactory;->createSocket(Ljava/lang/String;I'], (call) => {
      if (!isOwn(context, call)) return false
      const isVerified = classCalls(
        context.program,
        call.method.owner,
        'HostnameVerifier;->verify(',
        'SSLParameters;->setEndpointIdentificationAlgorithm(',
      )
      if (isVerified) return false
      // A factory that hands on what another one makes: who asked for the socket looks at the name.
      if (call.method.name === 'createSocket' && context.program.isA(call.method.owner, FACTORY)) return 'low'
      return true
    }),
  ),

  'android-ssl-insecure-factory': codeRule((context) =>
    callHits(context, ['Landroid/net/SSLCertificateSocketFactory;->getInsecure(']),
  ),

  'android-tls-old-protocol': codeRule((context) => {
    const { program } = context
    const hits = callHits(context, ['Ljavax/net/ssl/SSLContext;->getInstance('], (call) => {
      const name = stringArgument(program, call, 1)
      return name && /^(?:SSL|SSLv2|SSLv3|TLSv1|TLSv1\.1)$/.test(name)
        ? { what: name, level: !isOwn(context, call) ? 'info' : ('low' as const) }
        : false
    })
    for (const call of callsTo(context, 'L*;->setEnabledProtocols(')) {
      const old =
        program.callsFrom(call.method).length >= 0
          ? stringsLoadedIn(context, call.method).filter((value) => /^(?:SSLv3|TLSv1|TLSv1\.1)$/.test(value))
          : []
      if (old.length && isOwn(context, call))
        hits.push(
          codeHit(call, `protocols ${old.join(' ')}`, text(`启用 ${old.join('、')}`, `enables ${old.join(', ')}`)),
        )
    }
    for (const field of ['TLS_1_0', 'TLS_1_1', 'SSL_3_0'])
      for (const use of program.fieldUses(`Lokhttp3/TlsVersion;->${field}`))
        if (!use.write && isOwn(context, use))
          hits.push(codeHit(use, field, text(`连接配置包含 ${field}`, `a connection spec holds ${field}`)))
    return hits
  }),

  'android-http-url-hardcoded': codeRule((context) => {
    const seen = new Set<string>()
    const addresses = context.texts.pieces.flatMap((piece): Hit[] => {
      if (piece.source !== 'code') return []
      const match = /^http:\/\/([\w.-]+\.[a-z]{2,})\.?(?:[:/?#]|$)/i.exec(piece.text)
      const host = match?.[1]?.toLowerCase()
      if (
        !host ||
        LOCAL.test(host) ||
        NAMESPACE_HOST.test(host) ||
        /\.dtd$|\.xsd$|\/(?:features|properties)\//i.test(piece.text) ||
        /\/licenses?\//i.test(piece.text) ||
        isOfTestTools(piece) ||
        isOnlyName(context, piece)
      )
        return []
      const used =
        !piece.constant ||
        piece.constant.fields.length > 0 ||
        piece.constant.locations.some((location) => !isOverwritten(context.program, location))
      const hit = pieceHit(context, piece, host, text(`明文地址 http://${host}`, `cleartext address http://${host}`))
      const key = `${host} ${hit.location.class ?? ''}`
      if (!used || seen.has(key)) return []
      seen.add(key)
      return [hit]
    })
    return [...addresses, ...joinedAddresses(context)]
  }),

  'android-no-cert-pinning': codeRule((context) => {
    const { program } = context
    const config = context.facts && context.manifest ? networkConfig(context as ManifestContext & CodeContext) : null
    const inConfig =
      config !== null &&
      [...elementsOf(config.root)].some(({ element }) => element.name === 'pin' || trustsOnlyBundled(element))
    const pins =
      inConfig ||
      callsTo(
        context,
        'Lokhttp3/CertificatePinner$Builder;->add(',
        'Lcom/squareup/okhttp/CertificatePinner$Builder;->add(',
      ).some((call) => !call.method.owner.startsWith('Lokhttp3/')) ||
      program.classOf('Lcom/datatheorem/android/trustkit/TrustKit;') !== undefined ||
      [...trustMethods(context)].some(({ method }) =>
        callsIn(program, method, 'Certificate;->getPublicKey(', 'Certificate;->getEncoded(', 'MessageDigest;->digest('),
      )
    const talks =
      callsTo(
        context,
        'Ljava/net/URL;->openConnection',
        'Lokhttp3/OkHttpClient;->newCall',
        'Lorg/apache/http/client/HttpClient;->execute',
      ).length > 0
    if (!talks) return notApplicable('未发现网络请求', 'no network requests were found')
    if (pins) return []
    return [
      wholeHit(
        context,
        'no pinning',
        text('全应用没有证书锁定', 'nothing in the application pins certificates'),
        isFinance(context) ? 'middle' : undefined,
      ),
    ]
  }),

  'android-sensitive-in-get': codeRule((context) =>
    context.texts.pieces.flatMap((piece): Hit[] => {
      const match =
        piece.source === 'code' && /[?&](password|passwd|pwd|token|access_token|idcard|mobile|phone)=/i.exec(piece.text)
      if (!match || /[\\()[\]*|^]/.test(piece.text)) return []
      const location = piece.constant?.locations.find(
        (at) =>
          isOwn(context, at) &&
          callsIn(context.program, at.method, 'StringBuilder;->append(', 'String;->concat(', 'String;->format('),
      )
      if (!location && !/^https?:\/\//i.test(piece.text)) return []
      const at = location ?? piece.constant?.locations.find((candidate) => isOwn(context, candidate))
      return at
        ? [
            codeHit(
              at,
              match[1]!.toLowerCase(),
              text(`地址参数中有 ${match[1]}`, `an address with the parameter ${match[1]}`),
            ),
          ]
        : []
    }),
  ),

  'android-webview-like-local-server': codeRule((context) =>
    callHits(
      context,
      [
        'Ljava/net/ServerSocket;-><init>(',
        'Ljava/nio/channels/ServerSocketChannel;->bind(',
        'Ljava/net/ServerSocket;->bind(',
      ],
      (call) => {
        const types = parameterTypes(call.callee)
        const address = types.indexOf('Ljava/net/InetAddress;') + 1
        if (call.callee.includes('-><init>()') || isIdleServer(context, call)) return false
        if (!address && !/^[IL]/.test(types[0] ?? '')) return false
        const loopback =
          callsIn(context.program, call.method, 'InetAddress;->getLoopbackAddress(') ||
          stringsLoadedIn(context, call.method).some((value) => /^(?:127\.0\.0\.1|localhost)$/.test(value))
        if (loopback) return 'low'
        if (
          !isOwn(context, call) &&
          traceArgument(context.program, call, 1, 0).fromParameter &&
          isUnaskedServer(context, call)
        )
          return { what: 'the address comes from the caller of the library', level: 'low' }
        return true
      },
    ),
  ),

  'android-local-socket-abstract': codeRule((context) =>
    callHits(context, ['Landroid/net/LocalServerSocket;-><init>(Ljava/lang/String;)V'], (call) =>
      classCalls(context.program, call.method.owner, 'LocalSocket;->getPeerCredentials(')
        ? false
        : { what: stringArgument(context.program, call, 1) ?? '' },
    ),
  ),

  'android-ftp-telnet-use': codeRule((context) => {
    const hits = callHits(
      context,
      ['Lorg/apache/commons/net/ftp/FTPClient;-><init>(', 'Lorg/apache/commons/net/telnet/TelnetClient;-><init>('],
      (call) => isOwn(context, call),
    )
    for (const piece of context.texts.pieces) {
      const match = piece.source === 'code' && /^(ftp|telnet|mqtt|ws|rtmp):\/\/([\w.-]{2,})/i.exec(piece.text)
      if (!match || LOCAL.test(match[2]!)) continue
      const scheme = match[1]!.toLowerCase()
      hits.push(
        pieceHit(
          context,
          piece,
          `${scheme} ${match[2]}`,
          text(`明文协议 ${scheme}://${match[2]}`, `cleartext protocol ${scheme}://${match[2]}`),
          /^(?:ftp|telnet)$/.test(scheme) ? undefined : 'low',
        ),
      )
    }
    return hits
  }),

  'android-proxy-detection-absent': codeRule((context) => {
    if (!isFinance(context))
      return notApplicable('只对金融支付类应用提出', 'asked of finance and payment applications only')
    const proxy = callsTo(context, 'Ljava/lang/System;->getProperty(').some(
      (call) => stringArgument(context.program, call, 1) === 'http.proxyHost',
    )
    const vpn = callsTo(context, 'Landroid/net/NetworkCapabilities;->hasTransport(').length > 0
    return proxy || vpn
      ? []
      : [wholeHit(context, 'no proxy check', text('没有代理或 VPN 检测', 'nothing looks for a proxy or a VPN'))]
  }),
}

/** netty's own code that opens ports, where nothing outside of netty makes a server of it. */
function isIdleServer({ program }: CodeContext, { method: { owner } }: CallSite): boolean {
  const isOfNetty = (user: string) => user.startsWith(NETTY)
  return (
    isOfNetty(owner) &&
    ![owner, `${NETTY}bootstrap/ServerBootstrap;`].some((one) => isNamedOutside(program, one, isOfNetty))
  )
}
const NETTY = 'Lio/netty/'

/** A way to listen that a library has, where its caller says: neither names other code the class, nor does a call of other code lead there. */
function isUnaskedServer({ program, ownerOf }: CodeContext, { method }: CallSite): boolean {
  const { sdk } = ownerOf(method.owner)
  const isOfLibrary = (user: string) => ownerOf(user).sdk === sdk
  return (
    !isNamedOutside(program, method.owner, isOfLibrary) &&
    program.callersOf(method, FAR).every(({ owner }) => isOfLibrary(owner))
  )
}
/** Calls that a library may make until it listens. */
const FAR = 6

/** Does code name a class that is not where the class is? */
const isNamedOutside = (program: Program, descriptor: string, isInside: (owner: string) => boolean): boolean =>
  program.typeUses(descriptor).some(({ method }) => !isInside(method.owner)) ||
  [...program.classesNaming(descriptor)].some((one) => !isInside(one))

/** Comparing an address, and using it as the name of a namespace or cookie, opens no connection. */
const NAMES =
  /^Ljava\/lang\/String;->(?:equals|equalsIgnoreCase|compareTo|contentEquals|startsWith|endsWith|contains|indexOf)\(|^Lkotlin\/jvm\/internal\/Intrinsics;->areEqual\(|^Lkotlin\/text\/StringsKt[^;]*;->(?:equals|startsWith|contains|endsWith)|^Landroid\/text\/TextUtils;->equals\(|^Landroid\/webkit\/CookieManager;->|^Lorg\/(?:xmlpull\/v1|w3c\/dom|xml\/sax)\/|^Ljavax\/xml\/namespace\//

/** Libraries for tests, which name addresses in explanations. */
const isOfTestTools = ({ constant }: TextPiece): boolean =>
  constant !== undefined &&
  constant.locations.length > 0 &&
  constant.locations.every(({ method }) => /^L(?:org\/(?:mockito|hamcrest|junit)|junit)\//.test(method.owner))

/** Is the text, wherever code loads it, only compared or used as the name of something? */
function isOnlyName({ program }: CodeContext, { constant, text: value }: TextPiece): boolean {
  if (!constant?.locations.length) return false
  return constant.locations.every(({ method }) => {
    const takers = program.callsFrom(method).filter((call) => {
      const count = parameterTypes(call.callee).length
      for (let n = call.kind === 'static' ? 1 : 0; n <= count; n++)
        if (stringArgument(program, call, n) === value) return true
      return false
    })
    return takers.length > 0 && takers.every(({ callee }) => NAMES.test(callee))
  })
}

/** Is the register of a constant written again by the next instruction? Obfuscators fill code with such texts. */
function isOverwritten(program: Program, location: CodeLocation): boolean {
  const [load = '', next = ''] = program.listing(location, 2)
  const register = /^\w+: const-string\S* (v\d+),/.exec(load)?.[1]
  return register !== undefined && OVERWRITES.exec(next)?.[1] === register
}
const OVERWRITES = /^\w+: (?:const|new-instance|sget|move-result)\S* (v\d+)(?:,|$)/

const FACTORY = 'Ljavax/net/ssl/SSLSocketFactory;'
/** Of a library for crash reports, which takes it only where an annotation of the application says so. */
const ACRA = 'Lorg/acra/util/NaiveTrustManager;'

function trustMethods(context: CodeContext) {
  return overrides(context.program, 'Ljavax/net/ssl/X509TrustManager;', 'checkServerTrusted')
}

/** No call but logging: whatever comes is taken. A method that refuses makes an exception, which is a call. */
const doesNothing = (context: CodeContext, method: MethodFacts): boolean =>
  method.codeSize > 0 && context.program.callsFrom(method).every(({ callee }) => LOGGING.test(callee))

const makes = (context: CodeContext, owner: ClassFacts): CallSite[] =>
  [...context.program.callsTo(`${owner.descriptor}-><init>`)].filter(
    (call) => call.kind === 'direct' && call.method.owner !== owner.descriptor,
  )

/** Is an object of it made anywhere (an object of a subclass counts, as do Kotlin's own instances)? */
function isMade(context: CodeContext, owner: ClassFacts): boolean {
  if (makes(context, owner).length > 0) return true
  return context.program.callsTo(`${owner.descriptor}-><init>`).length > 0
}

/** Do only methods that nothing calls make objects of it? */
function isMadeForNothing(context: CodeContext, owner: ClassFacts): boolean {
  const calls = makes(context, owner)
  return calls.length > 0 && calls.every(({ method }) => isUnused(context, method))
}

/** Libraries whose checks stay on unless an application calls one of these methods. */
const SWITCHES: readonly { readonly library: string; readonly part?: string; readonly methods: readonly string[] }[] = [
  { library: 'Lorg/jsoup/', methods: ['L*;->validateTLSCertificates(Z)'] },
  {
    library: 'Lcom/loopj/android/http/',
    methods: [
      'Lcom/loopj/android/http/AsyncHttpClient;-><init>(ZII)',
      'Lcom/loopj/android/http/SyncHttpClient;-><init>(ZII)',
      'Lcom/loopj/android/http/MySSLSocketFactory;->getFixedSocketFactory(',
    ],
  },
  // Its downloads of pictures alone; requests have a factory of their own.
  {
    library: 'Lcom/lidroid/xutils/',
    part: 'Lcom/lidroid/xutils/util/OtherUtils',
    methods: [
      'Lcom/lidroid/xutils/BitmapUtils;-><init>(',
      'Lcom/lidroid/xutils/bitmap/*',
      'Lcom/lidroid/xutils/util/OtherUtils;->trustAllHttpsURLConnection(',
    ],
  },
]

/** Does a class belong to a library that uses it on demand alone, and does no code outside of the library demand it? */
const isSwitchedOff = (context: CodeContext, descriptor: string): boolean =>
  SWITCHES.some(
    ({ library, part = library, methods }) =>
      descriptor.startsWith(part) &&
      !callsTo(context, ...methods).some(({ method }) => !method.owner.startsWith(library)) &&
      !isNamedInTexts(context, library),
  )

/** Does code outside of a library name one of its classes as a text, as reflection does? */
function isNamedInTexts({ program }: CodeContext, library: string): boolean {
  const begin = dotted(`${library};`)
  return [...program.stringConstants()].some(
    ({ value, locations, fields }) =>
      value.replaceAll('/', '.').startsWith(begin) &&
      [...fields, ...locations.map(({ method }) => method.owner)].some((user) => !user.startsWith(library)),
  )
}

const madeUnderDebug = (context: CodeContext, owner: ClassFacts): boolean => {
  const calls = makes(context, owner)
  return calls.length > 0 && calls.every(({ method }) => guardedByDebug(context, method))
}

/** Constant strings that the method's code loads. */
function stringsLoadedIn(context: CodeContext, method: MethodFacts): string[] {
  const found: string[] = []
  for (const call of context.program.callsFrom(method)) {
    const types = parameterTypes(call.callee)
    types.forEach((_, i) => {
      const value = context.program.argument(call, i + 1)
      if (value.kind === 'string') found.push(value.value)
    })
  }
  return found
}

const SCHEME = 'http://'
const JOINS = /^Ljava\/lang\/(?:StringBu(?:ilder|ffer);->(?:append|<init>)|String;->concat)\(Ljava\/lang\/String;/

/** Own code that puts `http://` before an address that it gets elsewhere, directly or by a field that only initialisers set. */
function joinedAddresses(context: CodeContext): Hit[] {
  const { program } = context
  const loading = new Map(
    program
      .stringUses(SCHEME)
      .filter((location) => isOwn(context, location))
      .map(({ method }) => [method.reference, method]),
  )
  const initialised = new Set(
    [...loading.values()].filter(({ name }) => name.startsWith('<')).map(({ owner }) => outerClass(owner)),
  )
  const methods = new Map(loading)
  if (initialised.size > 0)
    for (const { descriptor, methods: all } of program.classes())
      if (initialised.has(outerClass(descriptor))) for (const method of all) methods.set(method.reference, method)
  const seen = new Set<string>()
  return [...methods.values()].flatMap((method): Hit[] => {
    if (seen.has(method.owner)) return []
    const call = program
      .callsFrom(method)
      .find((one) => JOINS.test(one.callee) && stringArgument(program, one, parameterIndex(one)) === SCHEME)
    if (!call) return []
    seen.add(method.owner)
    return [
      codeHit(
        call,
        'joined http://',
        text('在运行时拼接明文地址 http://', 'joins a cleartext address http:// at run time'),
      ),
    ]
  })
}

/** `a.concat(b)`: the scheme is the object. */
const parameterIndex = ({ callee }: CallSite): number => (callee.includes(';->concat(') ? 0 : 1)
