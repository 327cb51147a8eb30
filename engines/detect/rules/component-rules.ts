import type { Component, ComponentKind } from '../../apk/apk-facts.ts'
import type { XmlElement } from '../../axml/read-axml.ts'
import type { CallSite } from '../../dex/program.ts'
import { descriptorOf } from '../evidence/locations.ts'
import { attributeText, elementsOf } from '../evidence/xml-text.ts'
import type { FindingLevel, Text } from '../result/scan-result.ts'
import { isOwn } from './code.ts'
import { BROUGHT } from './effects.ts'
import { isExported } from './exported.ts'
import { componentHit, xmlHit } from './hits.ts'
import { opensOnly } from './inert-screen.ts'
import { neverRuns } from './note-unused-code.ts'
import { type CodeContext, type Hit, type ManifestContext, manifestRule, type RuleTable, text } from './rule.ts'
import { vendorOf } from './vendor-components.ts'

const MAIN = 'android.intent.action.MAIN'
const LAUNCHER = 'android.intent.category.LAUNCHER'

/** Broadcasts that only the system can send. */
const PROTECTED_ACTION =
  /^android\.(?:intent\.action\.(?:BOOT_COMPLETED|LOCKED_BOOT_COMPLETED|PACKAGE_|MY_PACKAGE_|USER_|BATTERY_|DEVICE_STORAGE_|ACTION_POWER_|ACTION_SHUTDOWN|AIRPLANE_MODE|CONFIGURATION_CHANGED|DOWNLOAD_COMPLETE|EXTERNAL_APPLICATIONS_|LOCALE_CHANGED|MEDIA_(?:MOUNTED|UNMOUNTED|REMOVED|EJECT|BAD_REMOVAL|CHECKED|NOFS|SHARED|UNMOUNTABLE|SCANNER_)|NEW_OUTGOING_CALL|PHONE_STATE|QUERY_PACKAGE_RESTART|REBOOT|SCREEN_O|TIME_SET|TIMEZONE_CHANGED|TIME_TICK|DATE_CHANGED|DOCK_EVENT|HEADSET_PLUG|UID_REMOVED|PROXY_CHANGE)|net\.|bluetooth\.|hardware\.usb\.|provider\.Telephony\.(?:SMS|MMS|WAP|DATA_SMS|SIM_FULL)|os\.action\.|app\.action\.|nfc\.action\.ADAPTER|accounts\.LOGIN_ACCOUNTS_CHANGED|media\.AUDIO_BECOMING_NOISY)/

const isLauncher = (component: Component): boolean =>
  component.intentFilters.some(({ actions, categories }) => actions.includes(MAIN) && categories.includes(LAUNCHER))

const applicationPermission = (context: ManifestContext): string | null => {
  const application = context.manifest.children.find(({ name }) => name === 'application')
  return (application && attributeText(application, 'permission', context.resources)) ?? null
}

const BASES: Partial<Record<ComponentKind, string>> = {
  activity: 'Activity',
  service: 'Service',
  receiver: 'BroadcastReceiver',
}

/** Is the class of a component none that Android can start? Its ancestors are all in the package. */
function isNoComponent({ program }: ManifestContext, name: string): boolean {
  let found = program?.classOf(descriptorOf(name))
  for (let depth = 0; found && depth < 32; depth++) {
    if (found.superclass === 'Ljava/lang/Object;') return true
    found = found.superclass ? program?.classOf(found.superclass) : undefined
  }
  return false
}

function exportedRule(kind: ComponentKind) {
  return manifestRule((context) => {
    const launchers = new Set(
      context.facts.components.filter(isLauncher).map(({ name, targetActivity }) => targetActivity ?? name),
    )
    const whole = applicationPermission(context)
    const ofVendors: Component[] = []
    const hits = context.facts.components.flatMap((component): Hit[] => {
      const same = component.kind === kind || (kind === 'activity' && component.kind === 'activity-alias')
      if (!same || !isExported(context, component) || component.permission || whole) return []
      if (isLauncher(component) || launchers.has(component.targetActivity ?? component.name)) return []
      if (kind === 'receiver' && onlyProtected(component)) return []
      if (vendorOf(component)) {
        ofVendors.push(component)
        return []
      }
      const how = component.exportedWritten
        ? text('显式导出', 'exported on purpose')
        : text('因 intent-filter 隐式导出', 'exported by its intent filter')
      const isolated = attributeText(component.element, 'isolatedProcess', context.resources) === 'true'
      const isNone = isNoComponent(context, component.targetActivity ?? component.name)
      const none = text(
        isNone ? `；该类不是 ${BASES[kind]}，启动它只会使应用崩溃` : '',
        isNone ? `; its class is no ${BASES[kind]}, so that a start can only crash the application` : '',
      )
      const inert = kind === 'activity' && !isNone ? opensOnly(context, component) : undefined
      const isLibrary = context.ownerOf(descriptorOf(component.targetActivity ?? component.name)).kind === 'sdk'
      return [
        componentHit(
          context,
          component,
          component.name,
          text(
            `${component.name} ${how.zh}，没有权限保护${isolated ? '；它在隔离进程中运行，没有应用的任何权限与数据' : ''}${none.zh}${inert?.zh ?? ''}`,
            `${component.name} is ${how.en} and no permission guards it${isolated ? '; it runs isolated, without any permission or data of the application' : ''}${none.en}${inert?.en ?? ''}`,
          ),
          isolated || isLibrary
            ? 'info'
            : isNone || inert || (kind === 'receiver' && onlyWidget(component))
              ? 'low'
              : undefined,
        ),
      ]
    })
    return [...hits, ...vendorHits(context, ofVendors)]
  })
}

/** One hit for each vendor, at its first component. */
function vendorHits(context: ManifestContext, components: readonly Component[]): Hit[] {
  const byVendor = new Map<string, { vendor: Text; components: Component[] }>()
  for (const component of components) {
    const vendor = vendorOf(component)!
    const group = byVendor.get(vendor.en) ?? { vendor, components: [] }
    group.components.push(component)
    byVendor.set(vendor.en, group)
  }
  return [...byVendor.values()].map(({ vendor, components: group }): Hit => {
    const names = group.map(({ name }) => name)
    const detail = text(
      `${vendor.zh} 要求导出：${names.join('、')}`,
      `${vendor.en} needs these exported: ${names.join(', ')}`,
    )
    return componentHit(context, group[0]!, `vendor ${vendor.en}`, detail, 'info')
  })
}

const onlyProtected = ({ intentFilters }: Component): boolean => {
  const actions = intentFilters.flatMap((filter) => filter.actions)
  return actions.length > 0 && actions.every((action) => PROTECTED_ACTION.test(action))
}

/** Home screens send widget updates: such a receiver has to be exported, and takes nothing else. */
const onlyWidget = ({ intentFilters }: Component): boolean => {
  const actions = intentFilters.flatMap((filter) => filter.actions)
  return actions.length > 0 && actions.every((action) => action.startsWith('android.appwidget.action.APPWIDGET_'))
}

const isFileProvider = (context: ManifestContext, component: Component): boolean =>
  /\.FileProvider$/.test(component.name) ||
  (context.program?.isA(descriptorOf(component.name), 'Landroidx/core/content/FileProvider;') ?? false) ||
  (context.program?.isA(descriptorOf(component.name), 'Landroid/support/v4/content/FileProvider;') ?? false)

/** A provider that only starts a library: whatever it is asked, it answers nothing. */
function onlyStarts(context: ManifestContext, component: Component): boolean {
  const found = context.program?.classOf(descriptorOf(component.name))
  if (!found || !context.program) return false
  const { program } = context
  const answering = found.methods.filter(
    ({ name, codeSize }) => /^(?:query|insert|update|delete|openFile|call)$/.test(name) && codeSize > 0,
  )
  return (
    answering.length > 0 && answering.every((method) => method.codeSize <= 3 && program.callsFrom(method).length === 0)
  )
}

export const componentRules: RuleTable = {
  'android-exported-activity': exportedRule('activity'),
  'android-exported-service': exportedRule('service'),
  'android-exported-receiver': exportedRule('receiver'),

  'android-exported-provider': manifestRule((context) => {
    const whole = applicationPermission(context)
    return context.facts.components.flatMap((component): Hit[] => {
      if (component.kind !== 'provider' || !isExported(context, component)) return []
      const read = component.readPermission ?? component.permission ?? whole
      const write = component.writePermission ?? component.permission ?? whole
      if (read && write) return []
      if (isFileProvider(context, component) || onlyStarts(context, component)) return []
      const vendor = vendorOf(component)
      const lacks =
        !read && !write
          ? text('读写权限', 'read and write permission')
          : read
            ? text('写权限', 'write permission')
            : text('读权限', 'read permission')
      return [
        componentHit(
          context,
          component,
          component.name,
          vendor
            ? text(
                `${vendor.zh} 要求导出 ${component.name}，没有${lacks.zh}`,
                `${vendor.en} wants ${component.name} exported, without ${lacks.en}`,
              )
            : text(`导出的 ${component.name} 没有${lacks.zh}`, `exported ${component.name} has no ${lacks.en}`),
          vendor && 'info',
        ),
      ]
    })
  }),

  'android-fileprovider-root-path': manifestRule((context) => {
    return context.facts.components.flatMap((component) =>
      component.kind === 'provider'
        ? component.metaData.flatMap(({ name, value }) => {
            const root = /FILE_PROVIDER_PATHS$/.test(name) ? context.xml(value) : null
            return root ? widePaths(context, value, root, component) : []
          })
        : [],
    )
  }),

  'android-grant-uri-wide': manifestRule((context) =>
    context.facts.components.flatMap((component): Hit[] => {
      if (component.kind !== 'provider' || isFileProvider(context, component)) return []
      const grants = component.element.children.filter(({ name }) => name === 'grant-uri-permission')
      const limits = component.element.children.some(({ name }) => name === 'path-permission') || grants.length > 0
      const everything = grants.some((grant) => attributeText(grant, 'pathPrefix') === '/')
      if (!everything && (limits || !component.grantUriPermissions)) return []
      return [
        componentHit(
          context,
          component,
          component.name,
          text(`${component.name} 可授予任意路径的访问`, `${component.name} may grant access to any of its paths`),
        ),
      ]
    }),
  ),

  'android-deeplink-unverified': manifestRule((context) =>
    context.facts.components.flatMap((component): Hit[] => {
      if (!component.enabled) return []
      const isBrowser = component.intentFilters.some(({ categories }) =>
        categories.includes('android.intent.category.APP_BROWSER'),
      )
      return component.intentFilters.flatMap(({ categories, data, autoVerify }): Hit[] => {
        const web = data.some(({ scheme }) => scheme === 'http' || scheme === 'https')
        if (!web || autoVerify || isBrowser || !categories.includes('android.intent.category.BROWSABLE')) return []
        const hosts = [...new Set(data.flatMap(({ host }) => host ?? []))]
        if (!hosts.length) return []
        return [
          componentHit(
            context,
            component,
            `${component.name} ${hosts.join(' ')}`,
            text(
              `${component.name} 处理 ${hosts.join('、')} 的链接，未验证归属`,
              `${component.name} opens links to ${hosts.join(', ')} without verification`,
            ),
          ),
        ]
      })
    }),
  ),
}

/** Makes addresses of a FileProvider's files, whose own classes call the method of that name inside. */
const SHARES = 'L*;->getUriForFile'
/** Grants that code gives by itself, or with an intent. */
const GRANTS = [
  'L*;->grantUriPermission(',
  'Landroid/content/Intent;->addFlags(',
  'Landroid/content/Intent;->setFlags(',
]

/** What makes addresses of files: code that may run, code that nothing uses, or none. Unused code counts where other code gives grants. */
function sharing(context: ManifestContext): 'used' | 'unused' | 'none' {
  const { program, packer } = context
  if (!program || packer) return 'used'
  const calls = program
    .callsTo(SHARES)
    .filter(
      ({ method }) => !/\/(?:FileProvider|FileProvider\$\w+);$/.test(method.owner) && method.name !== 'getUriForFile',
    )
  if (!calls.length) return 'none'
  const runs = ({ method }: CallSite) => !neverRuns(context, method)
  const grants = (call: CallSite) => {
    if (call.callee.includes('->grantUriPermission(')) return true
    const flags = program.argument(call, 1)
    return flags.kind === 'number' ? (Number(flags.value) & READ_OR_WRITE) !== 0 : isOwn(context as CodeContext, call)
  }
  const others = GRANTS.flatMap((pattern) => program.callsTo(pattern)).filter(
    ({ method }) => !BROUGHT.test(method.owner),
  )
  return calls.some(runs) || others.some((call) => grants(call) && runs(call)) ? 'used' : 'unused'
}
/** `FLAG_GRANT_READ_URI_PERMISSION` and the one to write. */
const READ_OR_WRITE = 3

/** Why only a redirected intent reaches the files. */
const UNSHARED = {
  used: text('', ''),
  unused: text(
    '；只有未被使用的代码调用 getUriForFile，但意图重定向仍可取得其授权',
    '; only code that nothing uses calls getUriForFile: an intent redirection may still reach it',
  ),
  none: text(
    '；未发现 getUriForFile 调用，但意图重定向仍可取得其授权',
    '; no call of getUriForFile was found: an intent redirection may still reach it',
  ),
}

/** One folder below the application's own, spelled out from the root. */
function isOwnFolder({ facts }: ManifestContext, path: string): boolean {
  const inside = /^\/?data\/(?:data|user(?:_de)?\/\d+)\/([\w.]+)\/([\w.-]+)(?:\/|$)/.exec(path)
  return (
    inside !== null &&
    inside[1] === facts.package?.value &&
    !path.split('/').some((part) => part === '.' || part === '..') &&
    !OPEN_FOLDER.test(inside[2]!)
  )
}
/** Folders with what an application keeps to itself; Flutter and others keep their files in folders of `getDir`, which begin with app_. */
const OPEN_FOLDER = /^(?:shared_prefs|databases|files|app_.*|no_backup|code_cache)$/

/** What holds files of the application alone, and none of its settings, databases and files in private storage. */
const OWN_FOLDERS = new Set(['cache-path', 'external-files-path'])

function widePaths(context: ManifestContext, entry: string, root: XmlElement, component: Component): Hit[] {
  const shared = sharing(context)
  const reason = UNSHARED[shared]
  return [...elementsOf(root)].flatMap((location): Hit[] => {
    const kind = location.element.name
    const path = attributeText(location.element, 'path', context.resources)
    const whole = path === '' || path === '.' || path === './' || path === '/'
    const level: FindingLevel | null =
      (kind === 'root-path' || kind === 'files-path') && whole
        ? 'high'
        : kind === 'root-path' && isOwnFolder(context, path ?? '')
          ? 'low'
          : kind === 'root-path' || (kind === 'external-path' && whole)
            ? 'middle'
            : OWN_FOLDERS.has(kind) && whole
              ? 'low'
              : null
    if (!level) return []
    const owner = context.ownerOf(descriptorOf(component.name))
    if (shared === 'none' && level !== 'high' && kind !== 'root-path') return []
    return [
      {
        ...xmlHit(
          entry,
          location,
          `${kind} ${path ?? ''}`,
          text(`${kind} 共享 "${path ?? ''}"${reason.zh}`, `${kind} shares "${path ?? ''}"${reason.en}`),
          shared === 'used' ? level : 'low',
        ),
        // The paths are the application's choice, though the class is a library's.
        owner: owner.kind === 'sdk' && !/FileProvider$/.test(component.name) ? owner : { kind: 'own', sdk: null },
      },
    ]
  })
}

/** Entry points that the rules about providers ask for. */
export const providerOf = (context: ManifestContext, descriptor: string): Component | undefined =>
  context.facts.components.find(({ kind, name }) => kind === 'provider' && descriptorOf(name) === descriptor)
