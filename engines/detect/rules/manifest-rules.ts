import { ANDROID_PERMISSIONS } from '../catalogue/permission-data.ts'
import { descriptorOf, locationOfClass } from '../evidence/locations.ts'
import { attributeText } from '../evidence/xml-text.ts'
import type { Text } from '../result/scan-result.ts'
import { isOneOf } from './application-type.ts'
import { applicationText, backup } from './backup-rule.ts'
import { classCalls } from './code.ts'
import { isExported, isSignatureLevel } from './exported.ts'
import { componentHit, evidenceHit, wholeHit } from './hits.ts'
import { worthUpdating } from './little-to-protect.ts'
import { worthTargeting } from './newer-versions.ts'
import {
  appRule,
  type CodeContext,
  type Hit,
  type ManifestContext,
  manifestRule,
  type RuleTable,
  text,
} from './rule.ts'

/** The newest Android version that this rule pack knows. */
const CURRENT_SDK = 36

const asked = (context: ManifestContext, permission: string) =>
  context.facts.permissions.find(({ name, impliedBy }) => name === permission && !impliedBy)

export const manifestRules: RuleTable = {
  'android-debuggable': manifestRule(({ facts }) =>
    facts.debuggable?.value
      ? [evidenceHit(facts.debuggable.evidence, 'debuggable', text('debuggable 为 true', 'debuggable is true'))]
      : [],
  ),

  'android-allow-backup': manifestRule((context) => backup(context)),

  'android-backup-agent-plain': appRule((context) => {
    const agent = applicationText(context, 'backupAgent')
    const name = agent?.startsWith('.') ? `${context.facts.package?.value ?? ''}${agent}` : agent
    const found = name ? context.program.classOf(descriptorOf(name)) : undefined
    if (!found || context.ownerOf(found.descriptor).kind === 'sdk') return []
    const writes = classCalls(context.program, found.descriptor, 'BackupDataOutput;->writeEntityData')
    const checks = classCalls(context.program, found.descriptor, 'BackupDataOutput;->getTransportFlags')
    if (!writes || checks) return []
    const detail = text(
      `备份代理 ${name} 写出数据，未检查传输是否加密`,
      `backup agent ${name} writes data and never asks whether the transport encrypts`,
    )
    return [{ location: locationOfClass(found), key: 'agent', detail }]
  }),

  'android-test-only': manifestRule(({ facts }) =>
    facts.testOnly?.value
      ? [evidenceHit(facts.testOnly.evidence, 'testOnly', text('testOnly 为 true', 'testOnly is true'))]
      : [],
  ),

  'android-min-sdk-low': manifestRule((context) => {
    const { minSdk, facts } = context
    if (minSdk >= 29) return []
    const detail = text(`minSdkVersion 为 ${minSdk}`, `minSdkVersion is ${minSdk}`)
    const judged = worthUpdating(context, detail, minSdk < 24 ? undefined : 'low')
    return [
      facts.minSdk ? evidenceHit(facts.minSdk.evidence, 'minSdk', ...judged) : wholeHit(context, 'minSdk', ...judged),
    ]
  }),

  'android-target-sdk-low': manifestRule((context) => {
    const { targetSdk, facts } = context
    if (targetSdk > CURRENT_SDK - 2) return []
    const level = targetSdk < 26 ? 'high' : targetSdk < 30 ? undefined : 'info'
    const detail = text(`targetSdkVersion 为 ${targetSdk}`, `targetSdkVersion is ${targetSdk}`)
    const fact = facts.targetSdk ?? facts.minSdk
    // Before 23 such permissions are granted at installation, without a question.
    const isGranted =
      targetSdk < 23 &&
      context.permissions.some(
        ({ name, dangerous, state }) =>
          state !== 'undeclared' && (dangerous || name === 'android.permission.SYSTEM_ALERT_WINDOW'),
      )
    const judged = isGranted ? ([detail, level] as const) : worthTargeting(context, detail, level)
    return [fact ? evidenceHit(fact.evidence, 'targetSdk', ...judged) : wholeHit(context, 'targetSdk', ...judged)]
  }),

  'android-launch-mode-task-affinity': manifestRule((context) => taskHijack(context)),

  'android-shared-user-id': manifestRule((context) => {
    const { sharedUserId } = context.facts
    if (!sharedUserId) return []
    const last = Number(attributeText(context.manifest, 'sharedUserMaxSdkVersion') ?? Number.NaN)
    if (last <= 32 && context.minSdk > last) return []
    const level = sharedUserId.value === 'android.uid.system' ? 'high' : undefined
    const detail = text(`sharedUserId 为 ${sharedUserId.value}`, `sharedUserId is ${sharedUserId.value}`)
    return [evidenceHit(sharedUserId.evidence, `sharedUserId ${sharedUserId.value}`, detail, level)]
  }),

  'android-extract-native-libs': manifestRule((context) => {
    const { extractNativeLibs, nativeLibraries } = context.facts
    if (!nativeLibraries.length) return []
    if (extractNativeLibs?.value)
      return [
        evidenceHit(
          extractNativeLibs.evidence,
          'extractNativeLibs',
          text('extractNativeLibs 为 true', 'extractNativeLibs is true'),
        ),
      ]
    if (extractNativeLibs || context.minSdk >= 23) return []
    return [
      wholeHit(
        context,
        'extractNativeLibs',
        text('未设置 extractNativeLibs 且 minSdk 低于 23', 'extractNativeLibs is not set and minSdk is below 23'),
      ),
    ]
  }),

  'android-custom-permission-weak': manifestRule((context) =>
    context.facts.definedPermissions.flatMap((permission) => {
      if (isSignatureLevel(permission.protectionLevel)) return []
      const guarded = context.facts.components.filter(
        (component) =>
          isExported(context, component) &&
          [component.permission, component.readPermission, component.writePermission].includes(permission.name),
      )
      const names = guarded.map(({ name }) => name).join(', ')
      const level = guarded.length ? undefined : 'info'
      const detail = guarded.length
        ? text(
            `权限 ${permission.name} 级别为 ${permission.protectionLevel}，保护导出组件 ${names}`,
            `permission ${permission.name} of level ${permission.protectionLevel} guards exported ${names}`,
          )
        : text(
            `权限 ${permission.name} 级别为 ${permission.protectionLevel}，未被组件使用`,
            `permission ${permission.name} of level ${permission.protectionLevel} guards no component`,
          )
      return [evidenceHit(permission.evidence, permission.name, detail, level)]
    }),
  ),

  'android-permission-undefined': manifestRule((context) => {
    const own = new Set(context.facts.definedPermissions.map(({ name }) => name))
    return context.facts.components.flatMap((component) =>
      [...new Set([component.permission, component.readPermission, component.writePermission])].flatMap((name) => {
        if (!name || own.has(name) || KNOWN_PERMISSIONS.test(name)) return []
        return [
          componentHit(
            context,
            component,
            `${component.name} ${name}`,
            text(
              `${component.name} 由未定义的权限 ${name} 保护`,
              `${component.name} is guarded by ${name}, which nobody here defines`,
            ),
          ),
        ]
      }),
    )
  }),

  'android-permission-overprivilege': appRule((context) => {
    const hits: Hit[] = []
    for (const result of context.permissions) {
      if (!result.dangerous || (result.state !== 'unused' && !result.excessive)) continue
      const used = context.facts.permissions.find(({ name }) => name === result.name)
      if (result.name === 'android.permission.READ_CALL_LOG' && !result.excessive && takesCallNumbers(context)) continue
      if (!used || used.impliedBy || (used.maxSdkVersion !== null && used.maxSdkVersion < context.minSdk)) continue
      const detail = result.excessive
        ? text(`${result.name} 超出该应用类型所需`, `${result.name} is beyond what this application type may ask for`)
        : unusedText(context, result.name)
      hits.push(evidenceHit(used.evidence, result.name, detail))
    }
    return hits
  }),

  'android-install-packages-perm': appRule((context) => {
    const used = asked(context, 'android.permission.REQUEST_INSTALL_PACKAGES')
    if (!used) return []
    const session = context.program.callsTo('Landroid/content/pm/PackageInstaller;->createSession').length > 0
    const intent = context.texts.pieces.some(({ text: piece }) =>
      piece.includes('application/vnd.android.package-archive'),
    )
    if (!session && !intent) return []
    const detail = text(
      '可申请安装其他应用，且有安装代码',
      'may ask to install other applications, and has the code for it',
    )
    return [evidenceHit(used.evidence, 'install', detail)]
  }),

  'android-overlay-perm': appRule((context) => {
    const used = asked(context, 'android.permission.SYSTEM_ALERT_WINDOW')
    if (!used) return []
    const { program } = context
    const window = program.callsTo('Landroid/view/WindowManager$LayoutParams;-><init>').find((call) =>
      [1, 2, 3].some((n) => {
        const value = program.argument(call, n)
        return value.kind === 'number' && [2002, 2003, 2010, 2038].includes(Number(value.value))
      }),
    )
    const field = program.fieldUses('Landroid/view/WindowManager$LayoutParams;->type:I').find(({ write }) => write)
    const adds = program.callsTo('Landroid/view/WindowManager;->addView').length > 0
    if (!adds || (!window && !field)) return []
    return [
      evidenceHit(
        used.evidence,
        'overlay',
        text('申请悬浮窗权限并添加悬浮窗', 'asks for overlays and adds such a window'),
      ),
    ]
  }),

  'android-accessibility-service': manifestRule((context) =>
    context.facts.components.flatMap((component) => {
      if (component.kind !== 'service' || component.permission !== 'android.permission.BIND_ACCESSIBILITY_SERVICE')
        return []
      const file = component.metaData.find(({ name }) => name === 'android.accessibilityservice')?.value
      const root = file ? context.xml(file) : null
      const value = (name: string) => root !== null && attributeText(root, name, context.resources) === 'true'
      if (value('isAccessibilityTool')) return []
      const strong = !root || value('canRetrieveWindowContent') || value('canPerformGestures')
      const detail = text(`无障碍服务 ${component.name}`, `accessibility service ${component.name}`)
      return [componentHit(context, component, component.name, detail, strong ? undefined : 'low')]
    }),
  ),

  'android-device-admin': manifestRule((context) =>
    context.facts.components.flatMap((component) =>
      component.kind === 'receiver' &&
      component.permission === 'android.permission.BIND_DEVICE_ADMIN' &&
      component.intentFilters.some(({ actions }) => actions.includes('android.app.action.DEVICE_ADMIN_ENABLED'))
        ? [
            componentHit(
              context,
              component,
              component.name,
              text(`设备管理器 ${component.name}`, `device administrator ${component.name}`),
            ),
          ]
        : [],
    ),
  ),

  'android-manifest-permission-tree-query-all': manifestRule((context) => {
    const used = asked(context, 'android.permission.QUERY_ALL_PACKAGES')
    const launcher = context.facts.components.some(({ intentFilters }) =>
      intentFilters.some(({ categories }) => categories.includes('android.intent.category.HOME')),
    )
    if (!used || context.targetSdk < 30 || launcher || isOneOf(context, 'security_management')) return []
    return [evidenceHit(used.evidence, 'query-all', text('申请 QUERY_ALL_PACKAGES', 'asks for QUERY_ALL_PACKAGES'))]
  }),

  'android-privacy-target-bypass': manifestRule((context) => {
    if (context.targetSdk >= 23) return []
    const dangerous = context.permissions.filter(({ dangerous, state }) => dangerous && state !== 'undeclared')
    // Permissions that Android implies of a missing target SDK were not asked for.
    const isAsked = dangerous.some(({ name: one }) =>
      context.facts.permissions.some(({ name, impliedBy }) => name === one && !impliedBy),
    )
    const level = isAsked ? undefined : 'low'
    const fact = context.facts.targetSdk ?? context.facts.minSdk
    if (!dangerous.length) return []
    const detail = text(
      `targetSdk ${context.targetSdk}，${dangerous.length} 项危险权限在安装时授予`,
      `targetSdk ${context.targetSdk}: ${dangerous.length} dangerous permissions are granted at install`,
    )
    return [fact ? evidenceHit(fact.evidence, 'bypass', detail, level) : wholeHit(context, 'bypass', detail, level)]
  }),
}

/** What an unused permission rests on: the APIs that were looked for, and where. */
function unusedText({ program }: CodeContext, permission: string): Text {
  const apis = ANDROID_PERMISSIONS.find(({ name }) => name === permission)?.apis ?? []
  const loads = program.callsTo('Ldalvik/system/DexClassLoader;-><init>').length > 0
  return text(
    `申请了 ${permission}；在 ${program.classCount} 个类与清单中查找其 ${apis.length} 个接口（如 ${apis[0] ?? ''}），均未使用${loads ? '；运行时加载的代码不在其中' : ''}`,
    `${permission} is declared; none of the ${apis.length} APIs that it opens (such as ${apis[0] ?? ''}) is used in ${program.classCount} classes and the manifest${loads ? '; code that is loaded at run time was not seen' : ''}`,
  )
}

/** From Android 9 on the number of a call is given to receivers with the permission for the call log only. */
const takesCallNumbers = ({ facts }: ManifestContext): boolean =>
  facts.components.some(
    ({ kind, intentFilters }) =>
      kind === 'receiver' &&
      intentFilters.some(({ actions }) =>
        actions.some((action) => /\.(?:PHONE_STATE|NEW_OUTGOING_CALL)$/.test(action)),
      ),
  )

/** Names of platform permissions and those of services of known vendors. */
const KNOWN_PERMISSIONS =
  /^(?:android\.permission\.|com\.android\.|android\.|com\.huawei\.|com\.hihonor\.|com\.xiaomi\.|com\.miui\.|com\.google\.|com\.oppo\.|com\.heytap\.|com\.coloros\.|com\.vivo\.|com\.meizu\.|com\.samsung\.|com\.sec\.|com\.oneplus\.|com\.sony|com\.htc\.)/

function taskHijack(context: ManifestContext): Hit[] {
  const { facts, minSdk } = context
  const name = facts.package?.value ?? ''
  const whole = applicationText(context, 'taskAffinity')
  return facts.components.flatMap((component) => {
    if (component.kind !== 'activity' || !component.enabled) return []
    const value = (attribute: string) => attributeText(component.element, attribute, context.resources)
    const affinity = value('taskAffinity') ?? whole
    const foreign =
      affinity !== undefined &&
      affinity !== '' &&
      affinity !== name &&
      !affinity.startsWith(`${name}.`) &&
      !affinity.startsWith(':') &&
      !affinity.startsWith('.')
    if (foreign && value('allowTaskReparenting') === 'true')
      return [
        componentHit(
          context,
          component,
          `${component.name} foreign`,
          text(
            `${component.name} 的 taskAffinity 指向其他应用 ${affinity}`,
            `${component.name} takes the task affinity of ${affinity}`,
          ),
          'high',
        ),
      ]
    const mode = value('launchMode')
    // Who lacks the permission cannot start the activity.
    if (mode !== 'singleTask' || affinity === '' || component.permission || !isExported(context, component)) return []
    // A task of its own, apart from that of the application's other screens: who enters it sees this screen alone.
    const apart = affinity !== undefined && affinity !== name
    const level = minSdk >= 29 ? 'info' : apart ? 'low' : undefined
    return [
      componentHit(
        context,
        component,
        component.name,
        apart
          ? text(
              `导出的 singleTask 界面 ${component.name} 使用非空 taskAffinity ${affinity}`,
              `exported singleTask activity ${component.name} has the task affinity ${affinity}, which is not empty`,
            )
          : text(
              `导出的 singleTask 界面 ${component.name} 未清空 taskAffinity`,
              `exported singleTask activity ${component.name} keeps the task affinity of its application`,
            ),
        level,
      ),
    ]
  })
}
