import { plistAt, plistFlag, plistTexts } from '../../plist/plist-node.ts'
import { IOS_USAGE_KEYS } from '../catalogue/permission-data.ts'
import trackers from '../data/tracker-hosts.json' with { type: 'json' }
import { saysNoPurpose } from '../permissions/says-no-purpose.ts'
import { type Hit, notApplicable, text } from '../rules/rule.ts'
import type { BinaryCode } from './binary-code.ts'
import { codeRule, type IosContext, type IosRuleTable, listRule, ownBinaries } from './ios-context.ts'
import { appHit, binaryHit, callHit, plistHit, textHit } from './ios-hits.ts'
import { LISTED_SDKS } from './listed-sdks.ts'

/** Classes that many use without the protected part of them. */
const WEAK_SIGNS = new Set([
  'UIImagePickerController',
  'AVAudioSession',
  'AVAudioEngine',
  'ASIdentifierManager',
  'ARKitSession',
  'ARSession',
  'GKLocalPlayer',
  'SKCloudServiceController',
  'AVCaptureDevice',
  'LAContext',
])
const REASON_IMPORTS = [
  'OBJC_CLASS_$_NSUserDefaults',
  'stat',
  'fstat',
  'lstat',
  'fstatat',
  'getattrlist',
  'statfs',
  'statvfs',
  'mach_absolute_time',
  'NSURLVolumeAvailableCapacityKey',
  'NSURLVolumeAvailableCapacityForImportantUsageKey',
  'NSFileSystemFreeSize',
  'NSFileCreationDate',
  'NSFileModificationDate',
  'NSURLContentModificationDateKey',
]
const REASON_SELECTORS = ['systemUptime', 'activeInputModes']
const ATT = 'requestTrackingAuthorizationWithCompletionHandler:'
/** Background mode -> classes of which one does what the mode is for. */
const MODES: Readonly<Record<string, RegExp>> = {
  location: /^CLLocationManager$/,
  voip: /^(PKPushRegistry|CXProvider|CXCallController|SIP|RTCPeerConnection)/,
  audio:
    /^(AVAudioSession|AVPlayer|AVQueuePlayer|AVAudioPlayer|AVAudioEngine|AVAudioRecorder|MPMusicPlayerController|MPRemoteCommandCenter)$/,
}

/** Does code name a class, `selector:x` or `import:x`? A class named in a text may be loaded by it. */
function names(code: BinaryCode, sign: string, weak: boolean): boolean {
  if (sign.startsWith('selector:')) return code.objc.selectors.has(sign.slice(9))
  if (sign.startsWith('import:')) return code.imports.has(sign.slice(7))
  if (!code.classes.has(sign)) return false
  return weak || code.imports.get(`OBJC_CLASS_$_${sign}`)?.weak !== true
}

const declaredKeys = (context: IosContext): ReadonlySet<string> =>
  new Set(
    context.binaries
      .flatMap(({ binary }) => (binary.info?.node.type === 'dictionary' ? [...binary.info.node.entries.keys()] : []))
      .concat(context.app.info.node.type === 'dictionary' ? [...context.app.info.node.entries.keys()] : []),
  )

const reasonApi = ({ imports, objc }: BinaryCode): string | undefined =>
  REASON_IMPORTS.find((name) => imports.has(name)) ?? REASON_SELECTORS.find((name) => objc.selectors.has(name))

export const privacyRules: IosRuleTable = {
  'ios-usage-desc-missing': codeRule((context) => {
    const declared = declaredKeys(context)
    // One class may need one of several keys: any of them will do.
    const signs = new Map<string, string[]>()
    for (const { key, classes } of IOS_USAGE_KEYS)
      for (const sign of classes) signs.set(sign, [...(signs.get(sign) ?? []), key])
    return ownBinaries(context).flatMap((code) => {
      const seen = new Set<string>()
      return [...signs].flatMap(([sign, keys]): Hit[] => {
        if (WEAK_SIGNS.has(sign) || keys.some((key) => declared.has(key)) || !names(code, sign, false)) return []
        const key = keys[0]!
        if (seen.has(key)) return []
        seen.add(key)
        const name = sign.replace(/^\w+:/, '')
        const at =
          code.imports.get(`OBJC_CLASS_$_${name}`)?.offset ??
          code.imports.get(name)?.offset ??
          code.objc.selectors.get(name) ??
          -1
        // Before iOS 8 there were no such keys: the system asks on behalf of what was built for older ones.
        return [
          binaryHit(
            code,
            at,
            key,
            text(`使用 ${name}，缺少 ${key}`, `uses ${name} and lacks ${key}`),
            builtBefore(context, 8) ? 'low' : undefined,
          ),
        ]
      })
    })
  }),

  'ios-usage-desc-unused': codeRule((context) =>
    context.app.usageDescriptions.flatMap(({ key, evidence }): Hit[] => {
      const known = IOS_USAGE_KEYS.find((one) => one.key === key)
      if (!known) return []
      const used = context.binaries.some(
        (code) =>
          known.classes.some((sign) => names(code, sign, true)) ||
          code.strings.some(({ value }) => known.classes.includes(value)),
      )
      return used
        ? []
        : [
            plistHit(
              context.app.info,
              [evidence.path ?? key],
              key,
              text(`声明 ${key}，未发现使用`, `${key} is declared and not used`),
            ),
          ]
    }),
  ),

  'ios-usage-desc-vague': listRule(({ app }) =>
    app.usageDescriptions
      .filter(({ text: value }) => saysNoPurpose(value))
      .map(({ key, text: value }) => plistHit(app.info, [key], key, text(`${key}：“${value}”`, `${key}: "${value}"`))),
  ),

  'ios-privacy-manifest-missing': codeRule((context) => {
    const { app, main, binaries } = context
    const manifests = new Set(app.privacyManifests.map(({ entry }) => entry))
    const own = main && !manifests.has(`${app.app}PrivacyInfo.xcprivacy`) ? reasonApi(main) : undefined
    const sdks = binaries.flatMap((code): Hit[] => {
      if (code.binary.role !== 'framework' || !LISTED_SDKS.has(code.binary.name)) return []
      const folder = code.entry.slice(0, code.entry.lastIndexOf('/') + 1)
      if ([...manifests].some((entry) => entry.startsWith(folder))) return []
      return [
        binaryHit(
          code,
          -1,
          code.binary.name,
          text(`${code.binary.name} 缺少隐私清单`, `${code.binary.name} has no privacy manifest`),
        ),
      ]
    })
    if (!own) return sdks
    const name = own.replace('OBJC_CLASS_$_', '')
    return [
      appHit(context, 'application', text(`使用 ${name}，缺少隐私清单`, `uses ${name} and has no privacy manifest`)),
      ...sdks,
    ]
  }),

  'ios-tracking-domains-undeclared': codeRule((context) => {
    const { app, texts } = context
    const declared = app.privacyManifests.flatMap(({ node }) =>
      plistTexts(node, 'NSPrivacyTrackingDomains').map((domain) => domain.toLowerCase()),
    )
    const empty = app.privacyManifests
      .filter(
        ({ node }) => plistFlag(node, 'NSPrivacyTracking') && !plistTexts(node, 'NSPrivacyTrackingDomains').length,
      )
      .map((file) =>
        plistHit(
          file,
          ['NSPrivacyTracking'],
          file.entry,
          text('声明跟踪但未列域名', 'tracking is declared without domains'),
        ),
      )
    const seen = new Set<string>()
    const found = texts.flatMap((one): Hit[] => {
      const host = /^https?:\/\/([\w.-]+)/i.exec(one.value)?.[1]?.toLowerCase()
      const tracker = host && trackers.hosts.find((known) => host === known.host || host.endsWith(`.${known.host}`))
      if (!tracker || seen.has(tracker.host)) return []
      seen.add(tracker.host)
      if (declared.some((domain) => host === domain || host.endsWith(`.${domain}`))) return []
      return [textHit(one, tracker.host, text(`跟踪域名 ${host} 未声明`, `tracking host ${host} is not declared`))]
    })
    return [...empty, ...found]
  }),

  'ios-idfa-no-att': codeRule((context) => {
    const asks = context.binaries.some(({ objc }) => objc.selectors.has(ATT))
    const described = plistAt(context.app.info.node, 'NSUserTrackingUsageDescription') !== undefined
    if (asks && described) return []
    return context.binaries.flatMap((code): Hit[] => {
      const at = code.objc.selectors.get('advertisingIdentifier')
      const detail = text(
        asks ? '读取 IDFA，缺少 NSUserTrackingUsageDescription' : '读取 IDFA，未请求 ATT',
        asks ? 'reads the IDFA without NSUserTrackingUsageDescription' : 'reads the IDFA without asking for tracking',
      )
      if (at !== undefined) {
        const call = code.callsTo('advertisingIdentifier')[0]
        // The question exists from iOS 14 on; there the identifier of what was built before is zero.
        const level = builtBefore(context, 14) ? ('low' as const) : undefined
        return [call ? callHit(code, call, 'idfa', detail, level) : binaryHit(code, at, 'idfa', detail, level)]
      }
      const named = code.strings.find(({ value }) => value === 'advertisingIdentifier')
      return named ? [binaryHit(code, named.offset, 'idfa by name', detail, 'info')] : []
    })
  }),

  'ios-background-modes-many': codeRule(({ app, binaries }) => {
    if (!app.backgroundModes.length) return notApplicable('未声明后台模式', 'no background modes are declared')
    return app.backgroundModes.flatMap(({ value, evidence }, i): Hit[] => {
      const users = MODES[value]
      if (!users || binaries.some(({ classes }) => [...classes].some((name) => users.test(name)))) return []
      return [
        {
          ...plistHit(
            app.info,
            ['UIBackgroundModes', i],
            value,
            text(`后台模式 ${value}，未发现对应接口`, `background mode ${value} without its interfaces`),
          ),
          location: { entry: evidence.entry, offset: evidence.offset, path: evidence.path ?? '' },
        },
      ]
    })
  }),
}

/** Was the application built with the SDK of an older iOS? */
function builtBefore({ app }: IosContext, version: number): boolean {
  const major = Number.parseInt(app.sdk?.value.replace(/^\D+/, '') ?? '', 10)
  return major < version
}

export const PRIVACY_CALLS = ['advertisingIdentifier']
