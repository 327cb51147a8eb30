import { dotted } from '../evidence/locations.ts'
import { attributeText, elementsOf } from '../evidence/xml-text.ts'
import { saysNoPurpose } from '../permissions/says-no-purpose.ts'
import type { Location } from '../result/scan-result.ts'
import { accessLocations } from './make-chains.ts'
import {
  type Chain,
  type Check,
  fail,
  locationChain,
  manual,
  notApplicable,
  notAssessed,
  type PrivacyContext,
  pass,
} from './privacy-context.ts'

const IDENTIFIERS = new Set(['imei', 'imsi', 'iccid', 'mac_address', 'serial', 'device_id'])
const BACKGROUND = new Set(['location', 'audio', 'installed_apps', 'contacts', 'sms'])

/** Checks that ask code what it collects and when; nothing of them can be said of code that is hidden. */
export const CONSENT_CHECKS: Readonly<Record<string, Check>> = {
  'm1-2': (context) => {
    const early = context.early.length
    return manual(
      early
        ? `静态提示：启动时已有 ${early} 类收集调用在同意之前可达；弹窗须人工确认`
        : '静态未见启动即收集；首次弹窗须人工确认',
      early
        ? `hint: ${early} kinds of collecting calls can be reached at start before consent; the dialog must be confirmed by a person`
        : 'no collection at start was found; the dialog must be confirmed by a person',
    )
  },
  'm3-1': code((context) =>
    context.early.length
      ? fail(
          `从进程入口到收集调用有 ${context.early.length} 条调用链，途中未见对同意状态的判断`,
          `${context.early.length} call chains lead from process start to collecting calls without a look at the consent`,
          context.early,
        )
      : pass(
          `静态未见从进程入口可达的收集调用${context.startReach?.cut ? '（调用图过大，已截断）' : ''}；未做真机验证`,
          `no collecting call can be reached from process start${context.startReach?.cut ? ' (the call graph was cut at its limit)' : ''}; not verified on a device`,
        ),
  ),
  'm3-2': code((context) => {
    const chains = callsUnder(context, ['onResume', 'onStart'], REQUEST)
    return chains.length
      ? manual(
          `静态提示：${chains.length} 处在 onResume/onStart 中申请权限，拒绝后可能反复询问`,
          `hint: permissions are requested in onResume or onStart at ${chains.length} places: a refusal may be followed by asking again`,
          chains,
        )
      : manual(
          '静态未见反复申请的迹象，须真机或人工确认',
          'no sign of nagging in code; a device or a person must confirm',
        )
  }),
  'm3-4': (context) => {
    const ticked = tickedBoxes(context)
    if (ticked.length)
      return fail(
        `${ticked.length} 个含隐私政策文字的布局中复选框默认勾选`,
        `a check box is ticked by default in ${ticked.length} layouts that show the policy`,
        ticked.map((location) => locationChain(location, null)),
      )
    return context.hiddenTexts
      ? manual(
          '界面由脚本或服务器绘制，须人工确认',
          'the screens are drawn by scripts or a server; a person must confirm',
        )
      : pass('含隐私政策文字的布局中没有默认勾选的复选框', 'no layout that shows the policy has a ticked box')
  },
  'm4-2': code((context) => {
    const chains = callsUnder(context, ['onRequestPermissionsResult'], EXITS)
    return chains.length
      ? manual(
          `静态提示：${chains.length} 处在权限回调中退出界面或进程，可能拒绝即不可用`,
          `hint: at ${chains.length} places the answer to a permission request ends the screen or process`,
          chains,
        )
      : manual('静态未见拒绝权限即退出；须人工确认', 'no exit on refusal in code; a person must confirm')
  }),
  'm4-4': code((context) => {
    const frequent = context.accesses.filter(
      ({ codeLocation: location }) =>
        /^(?:onResume|onReceive|run|onTick|handleMessage)$/.test(location.method.name) && location.method.codeSize > 0,
    )
    return frequent.length
      ? manual(
          `静态提示：${frequent.length} 处收集调用位于定时、广播或 onResume 中，频率须真机测量`,
          `hint: ${frequent.length} collecting calls stand in timers, receivers or onResume; how often they run must be measured on a device`,
          accessLocations(context.inspected.program!, frequent),
        )
      : pass(
          '静态未见位于定时、广播或 onResume 中的收集调用',
          'no collecting call stands in a timer, receiver or onResume',
        )
  }),
  't164-1': code((context) => {
    if (context.early.length)
      return fail(
        `同意之前可达 ${context.early.length} 类收集调用，按自有代码与 SDK 归属列出`,
        `kinds of collecting calls within reach before consent: ${context.early.length}, each with its owner`,
        context.early,
      )
    return context.policy
      ? pass('静态未见同意前收集，且有隐私政策', 'no collection before consent in code, and there is a policy')
      : notAssessed(
          '静态未见同意前收集；缺少隐私政策文本，告知部分未评估',
          'no collection before consent in code; without the policy text the notice was not assessed',
        )
  }),
  't164-2': code((context) => {
    const chains = context.background.filter(({ info }) => BACKGROUND.has(info))
    return chains.length
      ? manual(
          `静态提示：${chains.length} 条调用链从服务、广播或任务到达定位、录音、应用列表等调用`,
          `hint: ${chains.length} call chains lead from services, receivers or jobs to location, recording, app list and the like`,
          chains,
        )
      : pass(
          '后台组件未到达定位、录音、应用列表等调用',
          'no background component reaches location, recording, app list and the like',
        )
  }),
  'g-15': code((context) => {
    const found = context.accesses.filter(({ info }) => IDENTIFIERS.has(info))
    return found.length
      ? fail(
          `${found.length} 处读取 IMEI、IMSI、MAC、序列号等不可变更标识，建议改用 OAID`,
          `reads of IMEI, IMSI, MAC, serial or other immutable identifiers: ${found.length}; use OAID instead`,
          accessLocations(context.inspected.program!, found),
        )
      : pass('未见读取不可变更标识的调用', 'no call reads an immutable identifier')
  }),
  'g-16': code((context) => {
    const found = context.accesses.filter(({ info }) => info === 'installed_apps')
    return found.length
      ? fail(
          `${found.length} 处读取应用列表`,
          `reads of the list of installed apps: ${found.length}`,
          accessLocations(context.inspected.program!, found),
        )
      : pass('未见读取应用列表的调用', 'no call reads the list of installed apps')
  }),
  'g-17': code((context) => {
    const chains = context.resumed.filter(({ info }) => info === 'clipboard')
    return chains.length
      ? fail(
          '首屏启动或恢复时可达读取剪贴板的调用',
          'the first screen reads the clipboard when it starts or resumes',
          chains,
        )
      : pass(
          '首屏启动和恢复时未到达读取剪贴板的调用',
          'the first screen does not reach a call that reads the clipboard',
        )
  }),
  'u26-5': code((context) => {
    const chains = requestsAtLaunch(context)
    return chains.length
      ? fail(
          '首屏 onCreate 中即申请权限，未在业务功能启动时申请',
          'permissions are requested in onCreate of the first screen, not when a function needs them',
          chains,
        )
      : pass('首屏 onCreate 未申请权限', 'onCreate of the first screen requests no permission')
  }),
  'm2-3': (context) => {
    if (context.inspected.ios) return usageDescriptions(context)
    return purposeOfRequests(context)
  },
  'm4-6': code((context) => {
    const target = context.inspected.facts?.effectiveTargetSdk ?? 10_000
    if (target < 23)
      return fail(
        `targetSdk 为 ${target}，低于 23：安装即一次性授予全部权限`,
        `target SDK ${target} is below 23: all permissions are granted at once when it is installed`,
      )
    const chains = bundledRequests(context)
    return chains.length
      ? fail(
          `${chains.length} 处一次申请三个以上不同组的权限`,
          `requests for three or more groups of permissions at once: ${chains.length}`,
          chains,
        )
      : pass('未见一次申请三个以上权限组', 'no place asks for three or more permission groups at once')
  }),
}

const REQUEST =
  /->requestPermissions?\(|ActivityResultContracts\$RequestMultiplePermissions;->|PermissionX;->|XXPermissions;->permission/
const EXITS = /Ljava\/lang\/System;->exit|->finish\(\)V|->finishAffinity\(\)V|Landroid\/os\/Process;->killProcess/

function code(check: Check): Check {
  return (context) => {
    if (context.inspected.ios)
      return manual('iOS 应用须真机或人工确认', 'an iOS application: a device or a person must confirm')
    if (context.inspected.packer)
      return notAssessed(
        '应用已加固，代码不可见，须脱壳后或真机检测',
        'the application is packed, its code cannot be seen',
      )
    return context.inspected.program ? check(context) : notAssessed('没有可读的代码', 'no code that can be read')
  }
}

/** Calls of own methods with these names that fit the pattern. */
function callsUnder(context: PrivacyContext, names: readonly string[], pattern: RegExp): readonly Chain[] {
  const { program } = context.inspected
  const chains: Chain[] = []
  for (const one of program!.classes()) {
    if (context.inspected.ownerOf(one.descriptor).kind === 'sdk') continue
    for (const method of one.methods) {
      if (!names.includes(method.name)) continue
      for (const call of program!.callsFrom(method))
        if (pattern.test(call.callee) && chains.length < 20)
          chains.push(
            locationChain(
              { entry: call.entry, offset: call.offset, class: dotted(one.descriptor), method: method.name },
              null,
            ),
          )
    }
  }
  return chains
}

function requestsAtLaunch(context: PrivacyContext): readonly Chain[] {
  const chains: Chain[] = []
  for (const call of context.startReach?.calls() ?? []) {
    if (!/->requestPermissions\(/.test(call.callee) || chains.length >= 5) continue
    const way = context.startReach!.wayTo(call) ?? []
    const steps = [...way, call].map(({ entry, offset, method, line }) => ({
      entry,
      offset,
      class: dotted(method.owner),
      method: method.name,
      ...(line !== null && { line }),
    }))
    chains.push({ info: '', owner: context.inspected.ownerOf(call.method.owner).sdk, steps })
  }
  return chains
}

/** A request in own code without a rationale or dialog in its class. */
function purposeOfRequests(context: PrivacyContext): ReturnType<Check> {
  return code(({ inspected }) => {
    const program = inspected.program!
    const requests = [...program.callsTo('L*;->requestPermissions')].filter(
      (call) => inspected.ownerOf(call.method.owner).kind !== 'sdk',
    )
    if (!requests.length) return notApplicable('自有代码没有直接申请权限', 'own code requests no permission itself')
    const silent = requests.filter(({ method }) => {
      const methods = program.classOf(method.owner)?.methods ?? []
      return !methods.some((one) =>
        program
          .callsFrom(one)
          .some(({ callee }) => /shouldShowRequestPermissionRationale|Dialog|Popup|Snackbar|Toast/.test(callee)),
      )
    })
    return silent.length
      ? fail(
          `${silent.length} 处申请权限，所在类中没有说明用途的提示`,
          `requests in classes that show no purpose: ${silent.length}`,
          silent.slice(0, 20).map((location) =>
            locationChain(
              {
                entry: location.entry,
                offset: location.offset,
                class: dotted(location.method.owner),
                method: location.method.name,
              },
              null,
            ),
          ),
        )
      : pass('申请权限的类中都有提示', 'each class that requests permissions also shows something to the user')
  })(context)
}

function usageDescriptions(context: PrivacyContext): ReturnType<Check> {
  const { info, executable } = context.inspected.ios!
  const written = Object.entries(info).filter(([key]) => key.endsWith('UsageDescription'))
  if (!written.length) return notApplicable('没有用途说明', 'no usage description')
  const vague = written.filter(([, value]) => typeof value !== 'string' || saysNoPurpose(value))
  const entry = `${executable.slice(0, executable.lastIndexOf('/') + 1)}Info.plist`
  return vague.length
    ? fail(
        `${vague.length} 条用途说明为空或过于含糊`,
        `${vague.length} usage descriptions are empty or say nothing`,
        vague.map(([key]) => locationChain({ entry, offset: -1, path: key }, null)),
      )
    : pass('用途说明都已写明', 'every usage description says something')
}

const GROUP_LIMIT = 3
function bundledRequests(context: PrivacyContext): readonly Chain[] {
  const program = context.inspected.program!
  const groups = new Map<string, Map<string, Location>>()
  for (const { name, group, dangerous } of context.permissions) {
    if (!dangerous) continue
    for (const location of program.stringUses(name)) {
      const own = groups.get(location.method.reference) ?? new Map<string, Location>()
      own.set(group, {
        entry: location.entry,
        offset: location.offset,
        class: dotted(location.method.owner),
        method: location.method.name,
      })
      groups.set(location.method.reference, own)
    }
  }
  const chains: Chain[] = []
  for (const call of program.callsTo('L*;->requestPermissions')) {
    const own = groups.get(call.method.reference)
    if (own && own.size >= GROUP_LIMIT && chains.length < 20)
      chains.push({ info: '', owner: context.inspected.ownerOf(call.method.owner).sdk, steps: [...own.values()] })
  }
  return chains
}

const LAYOUTS = 3000
/** Layouts with a ticked box beside words about the policy. */
function tickedBoxes(context: PrivacyContext): readonly Location[] {
  const { inspected } = context
  const found: Location[] = []
  let read = 0
  for (const { name } of inspected.entries) {
    if (!/(?:^|\/)res\/layout[^/]*\/[^/]+\.xml$/.test(name) || read++ > LAYOUTS) continue
    const root = inspected.xml(name)
    if (!root) continue
    let ticked: Location | null = null
    let policy = false
    for (const { element, path } of elementsOf(root)) {
      const isBox = /(?:CheckBox|RadioButton|Switch)$/.test(element.name)
      if (isBox && attributeText(element, 'checked', inspected.resources) === 'true')
        ticked ??= { entry: name, offset: element.offset, path }
      const shown = attributeText(element, 'text', inspected.resources)
      if (shown && /隐私|协议|privacy|agreement|policy/i.test(shown)) policy = true
    }
    if (ticked && policy) found.push(ticked)
  }
  return found
}
