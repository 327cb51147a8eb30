import type { CallSite } from '../../dex/program.ts'
import { olderThan } from '../dependencies/versions.ts'
import { dotted } from '../evidence/locations.ts'
import type { FindingLevel } from '../result/scan-result.ts'
import { isFinance, isOneOf } from './application-type.ts'
import {
  callHits,
  callKey,
  callsIn,
  callsTo,
  classCalls,
  isOwn,
  numberArgument,
  overrides,
  parameterTypes,
  stringArgument,
} from './code.ts'
import { guardedByDebug } from './debug-guard.ts'
import { makesFilteredStream } from './filtered-stream.ts'
import { classHit, codeHit, wholeHit } from './hits.ts'
import { FROM_OUTSIDE } from './intent-calls.ts'
import { textsOf } from './method-texts.ts'
import { packageContextHits } from './package-contexts.ts'
import { pieceHit, pieceOwner } from './pieces.ts'
import { type CodeContext, codeRule, type Hit, notApplicable, type RuleTable, text } from './rule.ts'
import { beginningOf, callsOn, madeBy, passes, traceArgument } from './trace.ts'

const LOADERS = [
  'Ldalvik/system/DexClassLoader;-><init>(',
  'Ldalvik/system/PathClassLoader;-><init>(',
  'Ldalvik/system/InMemoryDexClassLoader;-><init>(',
]
const VERIFIES = [
  'MessageDigest;->digest(',
  'Signature;->verify(',
  'PackageManager;->getPackageArchiveInfo(',
  'checkSignatures(',
]
const HOTFIX = new Set(['hotfix', 'hook_plugin'])
/** Programs that print something, whatever their arguments are. */
const PRINTS = /^\s*(?:\/system\/x?bin\/)?(?:getprop|ping|which|cat|logcat|bugreport|dumpsys|top|ls|id|uname|ps|df)\b/

/** Programs that print something or make a folder where what comes behind them is not known. The log goes into a file that they name. */
const ASKING_COMMAND = /^\s*(?:\/system\/x?bin\/)?(?:getprop|ping|ls|id|uname|ps|df|mkdir|bugreport|dumpsys)\s/

/** What a look for root and a clean log run: constants, of no use to anybody else. */
const ROOT_CHECK = /^(?:(?:\/\w+)+\/)?(?:which\s+su|mount|logcat\s+-c)\s*$/

/** A shell, with the rights of the system or without, or a file that is written. */
const DOES_MORE = /(?:^|[\s/])(?:su|(?:ba|da|k|z)?sh)(?:\s|$)|\blogcat\b.*\s(?:-\w*f|--file)/

const isHarmless = (command: string): boolean =>
  ROOT_CHECK.test(command) || (PRINTS.test(command) && !DOES_MORE.test(command))

/** Texts of the module loader of Google Play services, whatever its classes are called now. */
const PLAY_SERVICES_MODULES = [
  'com.google.android.gms.chimera.container.DynamiteLoaderImpl',
  'com.google.android.gms.dynamite.IDynamiteLoader',
  'com.google.android.gms.dynamite.DynamiteModule$DynamiteLoaderClassLoader',
]

/** Classes of that loader: those with its texts, and class loaders that only they make. */
function playServicesLoaders({ program }: CodeContext): ReadonlySet<string> {
  const owners = new Set(
    PLAY_SERVICES_MODULES.flatMap((value) => program.stringUses(value).map(({ method }) => method.owner)),
  )
  if (owners.size > 0)
    for (const { descriptor } of LOADERS.flatMap((made) => program.subclassesOf(made.slice(0, made.indexOf('->'))))) {
      const makers = program.callsTo(`${descriptor}-><init>`).filter(({ method }) => method.owner !== descriptor)
      if (makers.length > 0 && makers.every(({ method }) => owners.has(method.owner))) owners.add(descriptor)
    }
  return owners
}

/** The texts that a method puts into the array that it hands to a call; undefined where not all are constants loaded right before it. */
function arrayTexts({ program }: CodeContext, call: CallSite): string[] | undefined {
  const value = call.callee.includes('->exec([') ? program.argument(call, 1) : undefined
  if (value?.kind !== 'array' || !value.length) return undefined
  if (value.texts) return [...value.texts]
  const loaded = textsOf(program, call.method).filter(
    ({ entry, offset }) => entry === call.entry && offset < call.offset,
  )
  return loaded.length < value.length ? undefined : loaded.slice(-value.length).map((one) => one.value)
}

/** Command lines: an array is one, other constants are several. */
const commandsOf = ({ callee }: CallSite, constants: readonly string[], isArray: boolean): readonly string[] =>
  isArray || callee.includes('->exec([') || callee.includes('ProcessBuilder') ? [constants.join(' ')] : constants

/** What WorkManager logs where it reads back what it wrote into its own database, whatever its classes are called now. */
const WORK_DATA = 'Error in Data#fromByteArray: '

/** Parsers that fetch what a document names, unlike those of Android. */
const FETCHING_PARSERS = ['Lorg/apache/xerces/*', 'Lcom/ctc/wstx/*', 'Lcom/bea/xml/*', 'Lorg/dom4j/*', 'Lnu/xom/*']

export const codeRules: RuleTable = {
  'android-dynamic-dex-loading': codeRule((context) => {
    const playServices = playServicesLoaders(context)
    return callHits(context, LOADERS, (call) => {
      const owner = context.ownerOf(call.method.owner)
      const known = context.sdks.find(({ id }) => id === owner.sdk)
      if (playServices.has(call.method.owner)) return 'info'
      if (owner.kind === 'sdk') return { what: '', level: known && HOTFIX.has(known.category) ? 'info' : 'low' }
      return classCalls(context.program, call.method.owner, ...VERIFIES) ? 'low' : true
    }).concat(packageContextHits(context, playServices))
  }),

  'android-native-load-path': codeRule((context) => ({
    hits: callsTo(context, 'Ljava/lang/System;->load(', 'Ljava/lang/Runtime;->load(').flatMap((call): Hit[] => {
      const trace = traceArgument(context.program, call, 1)
      const writable = passes(
        trace,
        '->getFilesDir(',
        '->getCacheDir(',
        '->getDir(',
        '->getExternalFilesDir(',
        '->getCodeCacheDir(',
      )
      return writable && ![...trace.fields].some((field) => field.includes('nativeLibraryDir'))
        ? [codeHit(call, callKey(call), text('从可写目录加载原生库', 'loads a native library from a writable folder'))]
        : []
    }),
    looked: callsTo(context, 'Ljava/lang/System;->loadLibrary(', 'Ljava/lang/System;->load('),
  })),

  'android-runtime-exec': codeRule((context) =>
    callsTo(context, 'Ljava/lang/Runtime;->exec(', 'Ljava/lang/ProcessBuilder;->start(').flatMap((call): Hit[] => {
      if (!isOwn(context, call)) return []
      const { program } = context
      const trace = traceArgument(program, call, call.callee.includes('ProcessBuilder') ? 0 : 1)
      const array = arrayTexts(context, call)
      const constants = array ?? [...trace.strings]
      const outside = passes(trace, ...FROM_OUTSIDE, '->getText(', 'BufferedReader;->readLine(', 'InputStream;->read')
      const commands = commandsOf(call, constants, array !== undefined)
      const harmless = (array !== undefined || !trace.variable) && constants.length > 0 && commands.every(isHarmless)
      if (harmless && !outside && commands.every((one) => ROOT_CHECK.test(one))) return []
      // Without a shell what comes behind the name of a program is no command of its own.
      const begin = call.callee.endsWith(';->exec(Ljava/lang/String;)Ljava/lang/Process;')
        ? beginningOf(program, program.argument(call, 1))
        : undefined
      const low = harmless || (begin !== undefined && ASKING_COMMAND.test(begin))
      const level: FindingLevel | undefined = outside ? 'high' : low ? 'low' : undefined
      const command = (array?.join(' ') ?? constants[0])?.slice(0, 60) ?? ''
      return [
        codeHit(
          call,
          callKey(call, command),
          outside
            ? text('执行的系统命令来自外部输入', 'runs a command that comes from outside')
            : command
              ? text(`执行系统命令：${command}`, `runs a command: ${command}`)
              : text('执行系统命令', 'runs a command'),
          level,
        ),
      ]
    }),
  ),

  'android-unzip-path-traversal': codeRule((context) =>
    callsTo(context, 'Ljava/io/FileOutputStream;-><init>(', 'Ljava/io/FileWriter;-><init>(').flatMap((call): Hit[] => {
      if (!isOwn(context, call)) return []
      const trace = traceArgument(context.program, call, 1)
      if (!passes(trace, 'Ljava/util/zip/ZipEntry;->getName(', 'Ljava/util/jar/JarEntry;->getName(')) return []
      const checks =
        passes(trace, 'getCanonicalPath', 'getCanonicalFile') ||
        classCalls(
          context.program,
          call.method.owner,
          'getCanonicalPath',
          'getCanonicalFile',
          'ZipPathValidator',
          '->normalize(',
        ) ||
        callsIn(context.program, call.method, 'String;->contains(')
      if (checks) return []
      return [
        codeHit(
          call,
          'zip entry',
          text('解压时直接使用条目名作为路径', 'uses the name of a zip entry as a path unchecked'),
          context.targetSdk >= 34 && context.facts ? 'low' : undefined,
        ),
      ]
    }),
  ),

  'android-zip-resource-remote': codeRule((context) => {
    const download = [
      'Ljava/net/URL;->openConnection',
      'Ljava/net/URL;->openStream',
      'Lokhttp3/Response;->body',
      'Landroid/app/DownloadManager;->enqueue',
      'Ljava/net/HttpURLConnection;->getInputStream',
      'Ljava/net/URLConnection;->getInputStream',
    ]
    const strings = new Set(
      context.texts.pieces
        .filter(({ text: piece }) => piece.includes('application/vnd.android.package-archive'))
        .flatMap(({ constant }) => constant?.locations.map(({ method }) => method.owner) ?? []),
    )
    const loads = new Set(
      callsTo(context, ...LOADERS, 'Ljava/util/zip/ZipInputStream;-><init>(').map(({ method }) => method.owner),
    )
    return [...new Set([...strings, ...loads])].flatMap((descriptor): Hit[] => {
      const found = context.program.classOf(descriptor)
      if (!found || context.ownerOf(descriptor).kind === 'sdk' || !classCalls(context.program, descriptor, ...download))
        return []
      return classCalls(context.program, descriptor, ...VERIFIES)
        ? []
        : [
            classHit(
              found,
              'download',
              text('下载后安装、加载或解压，未校验', 'installs, loads or unpacks a download that nothing verifies'),
            ),
          ]
    })
  }),

  'android-unsafe-deserialization': codeRule((context) => {
    const { program } = context
    const worker = new Set(program.stringUses(WORK_DATA).map(({ method }) => method.reference))
    return callHits(context, ['Ljava/io/ObjectInputStream;->readObject()'], (call) => {
      if (
        !isOwn(context, call) ||
        worker.has(call.method.reference) ||
        callsIn(program, call.method, 'ObjectInputFilter', '->setObjectInputFilter(') ||
        makesFilteredStream(program, call.method) ||
        /^(?:readObject|readResolve)$/.test(call.method.name)
      )
        return false
      const trace = traceArgument(program, call, 0)
      if (passes(trace, 'openFileInput(', '->getFilesDir(', '->getCacheDir(')) return 'low'
      return true
    })
  }),

  'android-fastjson-autotype': codeRule((context) => {
    const hits = callHits(context, ['Lcom/alibaba/fastjson/parser/ParserConfig;->setAutoTypeSupport('], (call) =>
      numberArgument(context.program, call, 1) === 1 && !isForMissingServer(context, call) ? { what: 'true' } : false,
    )
    const json = context.program.classOf('Lcom/alibaba/fastjson/JSON;')
    const version = json?.fields.find(({ name }) => name === 'VERSION')?.constant
    if (json && typeof version === 'string' && olderThan(version, '1.2.83'))
      hits.push(
        classHit(
          json,
          `fastjson ${version}`,
          text(`fastjson ${version}`, `fastjson ${version}`),
          /android|^1\.1\./.test(version) ? 'middle' : undefined,
        ),
      )
    return hits
  }),

  'android-xxe': codeRule((context) =>
    callHits(
      context,
      [
        'Ljavax/xml/parsers/DocumentBuilderFactory;->newInstance(',
        'Ljavax/xml/parsers/SAXParserFactory;->newInstance(',
        'Ljavax/xml/transform/TransformerFactory;->newInstance(',
      ],
      (call) => {
        const { program } = context
        const { owner } = call.method
        if (!isOwn(context, call)) return false
        if (classCalls(program, owner, '->setFeature(', '->setExpandEntityReferences(', '->setAttribute(')) return false
        const resolver = fetchingResolver(context)
        if (!resolver && classCalls(program, owner, '->setEntityResolver(')) return false
        // Writing a document of one's own, and reading bundled assets, takes nothing in.
        const parses =
          classCalls(program, owner, 'DocumentBuilder;->parse(', 'SAXParser;->parse(', 'XMLReader;->parse(') ||
          (call.callee.includes('Transformer') && classCalls(program, owner, 'StreamSource;-><init>('))
        if (!parses || callsIn(program, call.method, 'AssetManager;->open(', 'Resources;->openRawResource('))
          return false
        // What a transformer reads, the application mostly wrote.
        if (call.callee.includes('Transformer')) return 'low'
        if (resolver) return { what: `resolveEntity of ${dotted(resolver)} opens what a document names` }
        return FETCHING_PARSERS.some((name) => program.callsTo(name).length > 0) || namesFactory(context, call)
          ? true
          : { what: "Android's own parser fetches no external entities by itself", level: 'low' }
      },
    ),
  ),

  'android-reflection-hidden-api': codeRule((context) =>
    callHits(context, ['Ljava/lang/Class;->forName('], (call) => {
      const name = stringArgument(context.program, call, 1)
      return name &&
        isOwn(context, call) &&
        /^(?:android\.os\.SystemProperties|dalvik\.system\.VMRuntime|com\.android\.internal\.)/.test(name)
        ? { what: name }
        : false
    }),
  ),

  'android-strictmode-debug': codeRule((context) =>
    callHits(
      context,
      ['Landroid/os/StrictMode;->setThreadPolicy(', 'Landroid/os/StrictMode;->setVmPolicy('],
      (call) =>
        isOwn(context, call) &&
        !guardedByDebug(context, call.method) &&
        callsIn(context.program, call.method, '->detectAll(') &&
        callsIn(context.program, call.method, '->penaltyLog('),
    ),
  ),

  'android-file-uri-exposure': codeRule((context) => {
    const { program } = context
    const hits = callsTo(context, 'Landroid/os/StrictMode;->setVmPolicy(').flatMap((call): Hit[] => {
      const policy = program.argument(call, 1)
      const builder =
        policy.kind === 'call' && policy.callee.endsWith('Builder;->build()Landroid/os/StrictMode$VmPolicy;')
          ? madeBy(program, program.argument(policy.location, 0))
          : undefined
      const empty =
        builder !== undefined && callsOn(program, builder).every(({ callee }) => /-><init>\(|->build\(/.test(callee))
      return empty && isOwn(context, call)
        ? [
            codeHit(
              call,
              'empty policy',
              text('设置空的 VmPolicy 以放行 file:// 地址', 'sets an empty VmPolicy, which lets file:// out'),
            ),
          ]
        : []
    })
    for (const location of program.stringUses('disableDeathOnFileUriExposure'))
      hits.push(
        codeHit(
          location,
          'reflection',
          text('反射关闭 FileUriExposure 检查', 'turns the file URI check off by reflection'),
        ),
      )
    return hits
  }),

  'android-test-url-residue': codeRule((context) => {
    const seen = new Set<string>()
    return context.texts.pieces.flatMap((piece): Hit[] => {
      if (piece.source === 'native' || piece.source === 'file' || pieceOwner(context, piece) !== 'own') return []
      const match =
        /https?:\/\/((?:10\.|192\.168\.|172\.(?:1[6-9]|2\d|3[01])\.)[\d.]{1,12}|(?:[\w-]{1,60}[.-])?(?:test|dev|uat|sit|staging|preprod)\d{0,3}(?:[.-]\w{1,60}){0,12}\.[a-z]{2,10})(?=[:/?#"'\s]|$)/i.exec(
          piece.text,
        )
      const host = match?.[1]?.toLowerCase()
      if (!host || host === '10.0.2.2' || seen.has(host)) return []
      seen.add(host)
      return [pieceHit(context, piece, host, text(`内网或测试地址 ${host}`, `internal or test address ${host}`))]
    })
  }),

  'android-test-tools-bundled': codeRule((context) =>
    context.sdks.flatMap((sdk): Hit[] => {
      if (sdk.category !== 'testing_debug') return []
      const location = sdk.evidence[0] ?? { entry: '', offset: -1 }
      return [
        {
          location,
          owner: { kind: 'sdk', sdk: sdk.id },
          key: sdk.id,
          detail: text(`发布包含调试工具 ${sdk.name.zh}`, `the package brings the debugging tool ${sdk.name.en}`),
        },
      ]
    }),
  ),

  'android-mock-location-check-absent': codeRule((context) => {
    if (
      !isFinance(context) &&
      !isOneOf(context, 'online_car_hailing', 'map_navigation', 'takeout_food', 'express_delivery')
    )
      return notApplicable('只对出行、配送、金融类应用提出', 'asked of ride, delivery and finance applications only')
    const located =
      callsTo(
        context,
        'Landroid/location/LocationManager;->requestLocationUpdates',
        'Landroid/location/LocationManager;->getLastKnownLocation',
        'Lcom/google/android/gms/location/FusedLocationProviderClient;->',
        'Lcom/amap/api/location/AMapLocationClient;->startLocation',
        'Lcom/baidu/location/LocationClient;->start',
      ).length > 0
    const checked =
      callsTo(context, 'Landroid/location/Location;->isFromMockProvider(', 'Landroid/location/Location;->isMock(')
        .length > 0
    return !located || checked
      ? []
      : [
          wholeHit(
            context,
            'no mock check',
            text('使用定位，未识别模拟位置', 'uses location and never asks whether it is a mock'),
          ),
        ]
  }),
}

/** What a class implements or extends to say what a parser reads in place of an external entity. */
const RESOLVERS = [
  'EntityResolver',
  'ext/EntityResolver2',
  'ext/DefaultHandler2',
  'helpers/DefaultHandler',
  'HandlerBase',
]
/** Calls that answer with nothing, or look at the name alone. */
const ANSWERS_NOTHING =
  /^Lorg\/xml\/sax\/InputSource;-><init>\((?:Ljava\/io\/\w+;)?\)|^Ljava\/io\/(?:StringReader|ByteArrayInputStream);-><init>|^Ljava\/lang\/(?:String|StringBuilder|Object|\w*Exception);->|^Landroid\/util\/Log;->|;->getBytes\(|^Lorg\/xml\/sax\/SAX\w*Exception;->/

/** A class, not of a library, that gives a parser what a document names. */
function fetchingResolver(context: CodeContext): string | undefined {
  const { program } = context
  for (const name of RESOLVERS)
    for (const { owner, method } of overrides(program, `Lorg/xml/sax/${name};`, 'resolveEntity'))
      if (
        isOwn(context, method) &&
        program.callsFrom(method).some(({ callee, kind }) => kind !== 'super' && !ANSWERS_NOTHING.test(callee))
      )
        return owner.descriptor
  return undefined
}

/** May the parser be another one than Android's: by the name of its factory, a setting or a file? */
function namesFactory({ program, entries }: CodeContext, call: CallSite): boolean {
  const factory = dotted(call.callee.slice(0, call.callee.indexOf('->')))
  const types = parameterTypes(call.callee)
  const named = types.length > 0 ? stringArgument(program, call, 1) : undefined
  return (
    (types.length > 0 && !named?.startsWith('org.apache.harmony.')) ||
    program.stringUses(factory).length > 0 ||
    entries.some(({ name }) => name.endsWith(`META-INF/services/${factory}`))
  )
}

/** A class of fastjson for Spring, which no package without Spring can load. */
function isForMissingServer({ program }: CodeContext, { method: { owner } }: CallSite): boolean {
  if (!owner.startsWith('Lcom/alibaba/fastjson/support/')) return false
  const found = program.classOf(owner)
  return [found?.superclass ?? '', ...(found?.interfaces ?? [])].some(
    (one) => one.startsWith('Lorg/springframework/') && !program.classOf(one),
  )
}
