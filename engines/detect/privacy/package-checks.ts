import { PERSONAL_INFORMATION } from '../catalogue/permission-data.ts'
import { APPLICATION_TYPE_RULES } from '../catalogue/privacy-data.ts'
import { dotted } from '../evidence/locations.ts'
import { ownerName } from '../result/owner-name.ts'
import type { SdkResult } from '../result/scan-result.ts'
import { accessLocations } from './make-chains.ts'
import {
  type Answer,
  type Check,
  fail,
  locationChain,
  manual,
  notApplicable,
  notAssessed,
  type PrivacyContext,
  pass,
} from './privacy-context.ts'

const NO_TYPE = manual('请为应用选择应用类型后再判断', 'choose the application type to have this judged')
const WAKING: ReadonlySet<string> = new Set([
  'android.intent.action.BOOT_COMPLETED',
  'android.intent.action.LOCKED_BOOT_COMPLETED',
  'android.intent.action.QUICKBOOT_POWERON',
  'android.net.conn.CONNECTIVITY_CHANGE',
  'android.intent.action.USER_PRESENT',
  'android.intent.action.PACKAGE_ADDED',
  'android.intent.action.ACTION_POWER_CONNECTED',
])
/** Information that a type without need of it may not take; what devices say of themselves is judged elsewhere. */
const BEYOND = new Set([
  'location',
  'track',
  'contacts',
  'call_log',
  'sms',
  'calendar',
  'audio',
  'photo',
  'installed_apps',
  'phone_number',
])
/** Permission of an application type -> information that comes with it. */
const COMES_WITH: Readonly<Record<string, readonly string[]>> = {
  'android.permission.ACCESS_FINE_LOCATION': ['location', 'track'],
  'android.permission.ACCESS_COARSE_LOCATION': ['location'],
  'android.permission.CAMERA': ['photo'],
  'android.permission.RECORD_AUDIO': ['audio'],
  'android.permission.READ_SMS': ['sms'],
  'android.permission.READ_CALL_LOG': ['call_log'],
  'android.permission.QUERY_ALL_PACKAGES': ['installed_apps'],
}

/** Checks that ask manifest, permissions, SDKs and rule items. */
export const PACKAGE_CHECKS: Readonly<Record<string, Check>> = {
  'm4-1': excessive,
  'g-14': excessive,
  'g-13': beyondType,
  't164-5': (context) => {
    const found = excessive(context)
    return found.verdict === 'fail'
      ? found
      : context.types.length
        ? pass('没有超出应用类型的权限', 'no permission is beyond the type')
        : NO_TYPE
  },
  'm5-1': (context) => {
    if (context.inspected.packer)
      return notAssessed('应用已加固，代码不可见', 'the application is packed, its code cannot be seen')
    const chains = context.early.filter(({ owner }) => owner !== null)
    if (chains.length)
      return fail(
        `${chains.length} 条调用链表明 SDK 在同意前收集`,
        `${chains.length} call chains show SDKs that collect before consent`,
        chains,
      )
    return context.inspected.program
      ? pass('静态未见 SDK 在同意前收集', 'no SDK was found to collect before consent')
      : manual('须人工确认', 'a person must confirm')
  },
  'm5-3': (context) => sdkHint(context, ['mini_program'], '小程序容器', 'a mini-program container'),
  't164-6': selfStart,
  'u26-6': selfStart,
  't164-7': (context) => {
    const asks = context.permissions.find(({ name }) => name === 'android.permission.REQUEST_INSTALL_PACKAGES')
    const ads = asks?.uses.filter(({ owner }) => owner !== null) ?? []
    if (!asks) return pass('未申请安装应用的权限', 'it does not ask to install packages')
    return ads.length
      ? manual(
          `申请了安装应用的权限，且由 SDK 使用（${ads.length} 处），须确认有用户确认`,
          `it asks to install packages and SDKs do so at ${ads.length} places; confirm that the user is asked`,
          ads.map(({ owner, place: location }) => locationChain(location, owner)),
        )
      : manual(
          '申请了安装应用的权限，须确认下载均经用户同意',
          'it asks to install packages; confirm that each download is agreed to',
        )
  },
  'u26-1': (context) => {
    const { facts } = context.inspected
    if (!facts) return manual('须人工确认', 'a person must confirm')
    if (!facts.launchableActivity && context.inspected.kind === 'apk')
      return fail('没有桌面图标，用户难以发现和卸载', 'there is no launcher icon: hard to find and to uninstall')
    if (facts.label && facts.label.value.trim() === '')
      return fail('应用名称为空', 'its name is empty', [locationChain(facts.label.evidence, null)])
    const admin = facts.components.find(({ permission }) => permission === 'android.permission.BIND_DEVICE_ADMIN')
    return admin
      ? manual(
          '注册了设备管理器，激活后会妨碍卸载',
          'it registers a device administrator, which once active hinders uninstalling',
          [locationChain({ ...admin.evidence, class: admin.name }, null)],
        )
      : pass('有图标和名称，未注册设备管理器', 'it has an icon and a name and registers no device administrator')
  },
  'u26-2': (context) => {
    const ads = context.sdks.filter(({ category }) => category === 'ads')
    if (!ads.length) return notApplicable('没有广告 SDK', 'there is no advertising SDK')
    const { program } = context.inspected
    const shakes = [...(program?.callsTo('Landroid/hardware/SensorManager;->registerListener') ?? [])].filter(
      ({ method }) => ads.some(({ id }) => context.inspected.ownerOf(method.owner).sdk === id),
    )
    return manual(
      shakes.length
        ? `静态提示：广告 SDK 有 ${shakes.length} 处监听传感器，须确认摇一摇灵敏度和关闭按钮`
        : `含 ${ads.length} 个广告 SDK，须确认开屏和弹窗可关闭`,
      shakes.length
        ? `hint: advertising SDKs listen to sensors at ${shakes.length} places; confirm shake sensitivity and close buttons`
        : `${ads.length} advertising SDKs; confirm that splash and pop-up windows can be closed`,
      shakes.slice(0, 20).map((location) =>
        locationChain(
          {
            entry: location.entry,
            offset: location.offset,
            class: dotted(location.method.owner),
            method: location.method.name,
          },
          context.inspected.ownerOf(location.method.owner).sdk,
        ),
      ),
    )
  },
  'u26-3': (context) => {
    const location = context.marks.get('subscription')
    return location
      ? manual(
          '含自动续费文字，须确认续费前 5 日提醒',
          'it speaks of automatic renewal; confirm the reminder five days before',
          [locationChain(location, null)],
        )
      : notApplicable('未见自动续费的文字', 'nothing speaks of automatic renewal')
  },
  'u26-7': (context) => {
    const unknown = context.sdks.filter(({ version }) => version === null).length
    return context.sdks.length
      ? manual(
          `含 ${context.sdks.length} 个 SDK，其中 ${unknown} 个版本不明；评估与公示须人工确认`,
          `${context.sdks.length} SDKs, ${unknown} of unknown version; assessment and publication need a person`,
        )
      : notApplicable('没有发现 SDK', 'no SDK was found')
  },
  'g-1': (context) => {
    const sensitive = context.sdks.filter(({ personalInfo }) =>
      personalInfo.some((info) => ['face', 'id_card', 'payment_info'].includes(info)),
    )
    if (!sensitive.length)
      return notApplicable('没有人脸、证件或银行卡 SDK', 'there is no SDK for faces, documents or bank cards')
    const location = context.marks.get('separateConsent')
    if (location) return pass('找到单独同意的文字', 'there are words of separate consent')
    return context.hiddenTexts
      ? manual('界面文字不在包内，须人工确认', 'the words of the screens are not in the package; a person must confirm')
      : fail(
          `含 ${names(sensitive, 'zh')}，未见单独同意的文字`,
          `it has ${names(sensitive, 'en')} and no words of separate consent`,
          evidence(sensitive),
        )
  },
  'g-4': (context) => {
    const asked = ['android-cleartext-allowed', 'android-sharedpref-sensitive', 'android-sqlite-unencrypted']
    const results = context.items.filter(({ id }) => asked.includes(id))
    const failed = results.filter(({ verdict }) => verdict === 'fail')
    if (failed.length)
      return fail(
        `未通过的检测项：${failed.map(({ name }) => name.zh).join('、')}`,
        `failed items: ${failed.map(({ name }) => name.en).join(', ')}`,
        failed.flatMap(({ findings }) =>
          findings.slice(0, 3).map(({ evidence: location, owner }) => locationChain(location, owner.sdk)),
        ),
      )
    return results.some(({ verdict }) => verdict === 'pass')
      ? pass('明文传输与存储的检测项未失败', 'no item on cleartext transport or storage failed')
      : notAssessed('未选择明文传输与存储的检测项', 'the items on cleartext transport and storage were not asked')
  },
  'g-5': (context) => sdkHint(context, ['ai_face_ocr'], '人脸或证件识别', 'face or document recognition'),
  'g-9': (context) => sdkHint(context, ['hotfix', 'hook_plugin'], '热更新或插件化', 'hot updates or plug-ins'),
  'g-11': (context) => {
    const abroad = context.sdks.filter(
      ({ country, personalInfo, state }) => country && country !== 'CN' && personalInfo.length && state === 'called',
    )
    return abroad.length
      ? manual(
          `${abroad.length} 个境外 SDK 会收集个人信息：${names(abroad, 'zh')}；须确认出境义务`,
          `${abroad.length} SDKs from abroad collect personal data: ${names(abroad, 'en')}; confirm the duties`,
          evidence(abroad),
        )
      : manual(
          '未见收集个人信息的境外 SDK；服务端出境须人工确认',
          'no collecting SDK from abroad; what servers pass on needs a person',
        )
  },
}

function excessive(context: PrivacyContext): Answer {
  if (!context.types.length) return NO_TYPE
  const beyond = context.permissions.filter(({ excessive: is }) => is)
  return beyond.length
    ? fail(
        `${beyond.length} 项权限超出应用类型：${beyond.map(({ title }) => title.zh).join('、')}`,
        `permissions beyond the type (${beyond.length}): ${beyond.map(({ title }) => title.en).join(', ')}`,
        beyond.flatMap(({ uses }) => (uses[0] ? [locationChain(uses[0].place, uses[0].owner)] : [])),
      )
    : pass('没有超出应用类型的权限', 'no permission is beyond the type')
}

function beyondType(context: PrivacyContext): Answer {
  const rules = context.types.flatMap((type) => APPLICATION_TYPE_RULES.get(type) ?? [])
  if (!rules.length) return NO_TYPE
  const allowed = new Set(rules.flatMap(({ permissions }) => permissions.flatMap((name) => COMES_WITH[name] ?? [])))
  if (rules.some(({ necessary }) => necessary.some((one) => one.includes('电话号码')))) allowed.add('phone_number')
  const beyond = context.accesses.filter(({ info }) => BEYOND.has(info) && !allowed.has(info))
  const kinds = [...new Set(beyond.map(({ info }) => info))]
  return beyond.length
    ? fail(
        `超出必要范围：${kinds.map((info) => PERSONAL_INFORMATION.get(info)?.zh ?? info).join('、')}`,
        `beyond the necessary scope: ${kinds.map((info) => PERSONAL_INFORMATION.get(info)?.en ?? info).join(', ')}`,
        accessLocations(context.inspected.program!, beyond),
      )
    : pass('收集的信息在应用类型的必要范围内', 'all collected information is within the type')
}

/** Receivers that bring the process up by themselves. A receiver that is off until code turns it on is not counted. */
function selfStart(context: PrivacyContext): Answer {
  const { facts } = context.inspected
  if (!facts) return manual('须人工确认', 'a person must confirm')
  const found = facts.components.flatMap(({ kind, enabled, name, intentFilters, evidence: location }) => {
    const actions =
      kind === 'receiver' && enabled
        ? intentFilters.flatMap((filter) => filter.actions.filter((action) => WAKING.has(action)))
        : []
    return actions.length ? [{ name, actions, location }] : []
  })
  if (!found.length) return pass('没有自启动的广播接收器', 'no receiver brings the application up by itself')
  const actions = new Set(
    found.flatMap((one) => one.actions.map((action) => action.slice(action.lastIndexOf('.') + 1))),
  )
  const chains = found.map(({ name, location }) =>
    locationChain({ ...location, class: name }, ownerName(context.inspected.ownerOf(`L${name.replaceAll('.', '/')};`))),
  )
  const list = [...actions].sort().join(', ')
  return actions.size > 1 || ![...actions].every((one) => /BOOT/.test(one))
    ? fail(`${found.length} 个接收器监听：${list}`, `receivers (${found.length}) wait for: ${list}`, chains)
    : manual(
        `${found.length} 个接收器随开机启动，须确认确有必要并经用户同意`,
        `receivers that start with the device: ${found.length}; confirm need and consent`,
        chains,
      )
}

function sdkHint(context: PrivacyContext, categories: readonly string[], zh: string, en: string): Answer {
  const found = context.sdks.filter(({ category }) => categories.includes(category))
  return found.length
    ? manual(
        `静态提示：含${zh}能力（${names(found, 'zh')}），须人工确认`,
        `hint: it has ${en} (${names(found, 'en')}); a person must confirm`,
        evidence(found),
      )
    : manual(`未见${zh} SDK，须人工确认`, `no SDK for ${en} was found; a person must confirm`)
}

const names = (sdks: readonly SdkResult[], language: 'zh' | 'en'): string =>
  sdks
    .slice(0, 8)
    .map(({ name }) => name[language])
    .join(language === 'zh' ? '、' : ', ') + (sdks.length > 8 ? ' …' : '')

const evidence = (sdks: readonly SdkResult[]) =>
  sdks.slice(0, 20).flatMap(({ id, evidence: locations }) => (locations[0] ? [locationChain(locations[0], id)] : []))
