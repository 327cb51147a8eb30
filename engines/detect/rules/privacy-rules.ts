import type { CallSite } from '../../dex/program.ts'
import { isScripted, ownSends } from '../permissions/find-collected.ts'
import { mayLeave, mayTake } from '../permissions/may-take.ts'
import type { FindingLevel, Text } from '../result/scan-result.ts'
import { isOneOf } from './application-type.ts'
import { callTimeText } from './call-text.ts'
import { callHits, callKey, callsTo, numberArgument, stringArgument } from './code.ts'
import { codeHit, componentHit } from './hits.ts'
import { looksForCertain } from './installed-list.ts'
import { policyRule } from './policy-rule.ts'
import { type CodeContext, codeRule, type Hit, type Rule, type RuleTable, text } from './rule.ts'
import { startReach } from './start-reach.ts'
import { passes, traceArgument } from './trace.ts'

const RAISED: Record<FindingLevel, FindingLevel> = { info: 'low', low: 'middle', middle: 'high', high: 'high' }

/** Accesses to a kind of information that Android gives the package; what runs before anybody could have agreed counts one level more. */
function access(
  info: string,
  base: FindingLevel,
  patterns: readonly string[],
  judge: (context: CodeContext, call: CallSite) => FindingLevel | boolean = () => true,
): Rule {
  return codeRule((context) =>
    callsTo(context, ...(mayTake(context.facts, info) ? patterns : [])).flatMap((call): Hit[] => {
      if (isWrapper(call)) return []
      const judged = judge(context, call)
      if (judged === false) return []
      const early = startReach(context).has(call.method.reference)
      const level = judged === true ? base : judged
      return [takenHit(context, call, level, early)]
    }),
  )
}

/** What a package takes and has no permission to send stays on the device; what it takes at its start is taken without consent. */
function takenHit({ facts }: CodeContext, call: CallSite, level: FindingLevel, early: boolean): Hit {
  const { zh, en } = callTimeText(call, early)
  if (level === 'info') return codeHit(call, callKey(call), text(zh, en), level)
  if (!mayLeave(facts))
    return codeHit(
      call,
      callKey(call),
      text(`${zh}；应用没有联网与发送短信的权限`, `${en}; without a permission to send it`),
      'low',
    )
  return codeHit(call, callKey(call), text(zh, en), early ? RAISED[level] : level)
}

/** Compatibility layers: who calls them is what counts. */
const isWrapper = (call: CallSite): boolean =>
  /^L(?:androidx\/(?:core|appcompat)|android\/support)\//.test(call.method.owner)

/** Device identifiers that ordinary applications no longer get. */
const closedSince29 = (context: CodeContext): FindingLevel | boolean =>
  context.minSdk >= 29 &&
  context.facts !== null &&
  !context.facts.permissions.some(({ name }) => name === 'android.permission.READ_PRIVILEGED_PHONE_STATE')
    ? 'info'
    : true

const PROVIDER_ADDRESS = /^Landroid\/provider\/[^;]+;->[A-Z_]*(?:CONTENT|URI)[A-Z_]*/

/** Queries of a content provider by the field or the address that names it. */
function queries(info: string, base: FindingLevel, fields: readonly string[], addresses: readonly string[]): Rule {
  return codeRule((context) =>
    callsTo(context, ...(mayTake(context.facts, info) ? ['Landroid/content/ContentResolver;->query('] : [])).flatMap(
      (call): Hit[] => {
        const trace = traceArgument(context.program, call, 1, 1)
        // An address that a field gives says what is asked; texts of the flow then are parts of its path.
        const given = [...trace.fields].filter((field) => PROVIDER_ADDRESS.test(field))
        const fits = given.length
          ? given.some((field) => fields.some((part) => field.includes(part)))
          : [...trace.strings].some((value) => addresses.some((address) => value.startsWith(address)))
        if (!fits || passes(trace, 'Intent;->getData(')) return []
        // One entry that the person chose: its number comes with the intent.
        if ([3, 4].some((n) => passes(traceArgument(context.program, call, n, 0), 'Intent;->getData('))) return []
        const early = startReach(context).has(call.method.reference)
        if (isPickerAlone(context, call)) return [takenHit(context, call, 'info', early)]
        const because = (level: FindingLevel, { zh, en }: Text): Hit[] => {
          const hit = takenHit(context, call, level, early)
          return [{ ...hit, detail: text(`${hit.detail.zh}；${zh}`, `${hit.detail.en}; ${en}`) }]
        }
        if (OF_CALLS.has(info) && !early && servesCalls(context)) return because('low', FOR_CALLS)
        return info === 'sms' && asksOfOneSender(context, call)
          ? because('middle', OF_ONE_SENDER)
          : [takenHit(context, call, base, early)]
      },
    ),
  )
}

const OF_ONE_SENDER = text('仅查询一个固定发送方的短信', 'only messages of one fixed sender are asked for')
const FOR_CALLS = text(
  '应用提供拨号功能，系统会先询问用户，自有代码不发送数据',
  'the application dials, Android asks the person first, and own code sends nothing',
)
const OF_CALLS = new Set(['contacts', 'call_log'])

/**
 * Is it an application to dial with, which needs contacts and calls for what it is, must ask for them at run time, and has no own code that sends
 * something?
 */
const servesCalls = (context: CodeContext): boolean =>
  context.targetSdk >= 23 &&
  !context.packer &&
  !context.codeGap &&
  !isScripted(context, context.sdks) &&
  (context.facts?.components ?? []).some(
    ({ kind, intentFilters }) =>
      /^activity/.test(kind) && intentFilters.some(({ actions }) => actions.includes('android.intent.action.DIAL')),
  ) &&
  !ownSends(context)

/** Does the condition of a query, a constant text, name one sender of messages and leave no other way in? */
function asksOfOneSender({ program }: CodeContext, call: CallSite): boolean {
  const conditions = program.possibleArguments(call, 3)
  return (
    conditions.length > 0 &&
    conditions.every(
      (one) =>
        one.kind === 'string' &&
        /(?:^|[\s(])address\s*=\s*(?:'[^'%]+'|"[^"%]+"|\d+)/i.test(one.value) &&
        !/\bor\b|\bnot\b|\|\|/i.test(one.value),
    )
  )
}

const CONTACTS_PLUGIN = 'Lorg/apache/cordova/contacts/'
/** Scripts of the plug-in, of Cordova, and of a library that offers all its plug-ins under other names. */
const PLUGIN_SCRIPT =
  /(?:^|\/)(?:plugins\/cordova-plugin-contacts|plugins\/org\.apache\.cordova\.contacts)\/|(?:^|\/)(?:ng-)?cordova[\w.-]*\.js$/

/** Ways to the plug-in that do not say `navigator.contacts`: its service by name, another name for the object, scripts from elsewhere. */
const OTHER_WAYS =
  /ContactFindOptions|\$cordovaContacts|navigator\s*\[|["']navigator["']|["']Contacts["']\s*,\s*["'](?!pickContact["'])\w|\[\s*["']contacts["']\s*\]|\bcontacts\b[^{};]{0,200}\}\s*=\s*(?:\w+\s*\.\s*)?navigator\b|<script[^>]{0,500}\ssrc\s*=\s*["']?(?:https?:)?\/\//i
/** Another name for `navigator`, and a use of contacts by one. */
const NAVIGATOR_RENAMED = /[=(,:]\s*(?:\w+\s*\.\s*)*navigator\s*(?:[,;)}\n]|$)/m
const CONTACTS_OF_ANY = /(?<!navigator\s*)\.\s*contacts\s*\.\s*\w/

/**
 * Is it code of Cordova's plug-in for contacts, which runs when scripts ask it, and do all scripts ask it for one contact that the person
 * picks? Only scripts of the package can be read: a page with scripts from elsewhere may ask for more.
 */
function isPickerAlone({ entries, read }: CodeContext, call: CallSite): boolean {
  if (!call.method.owner.startsWith(CONTACTS_PLUGIN)) return false
  const scripts = entries.filter(
    ({ name }) => /^assets\/www\/.*\.(?:m?js|html?)$/i.test(name) && !PLUGIN_SCRIPT.test(name),
  )
  if (scripts.length > MOST_SCRIPTS) return false
  let picks = 0
  let isRenamed = false
  let isUsedByName = false
  for (const { name } of scripts) {
    const bytes = read(name)
    if (!bytes) return false
    const content = Buffer.from(bytes).toString('latin1')
    if (OTHER_WAYS.test(content)) return false
    isRenamed ||= NAVIGATOR_RENAMED.test(content)
    isUsedByName ||= CONTACTS_OF_ANY.test(content)
    for (const [, method] of content.matchAll(/navigator\s*\.\s*contacts\b(?:\s*\.\s*(\w+))?/g)) {
      if (method !== 'pickContact') return false
      picks++
    }
  }
  return picks > 0 && !(isRenamed && isUsedByName)
}
const MOST_SCRIPTS = 300

const TELEPHONY = 'Landroid/telephony/TelephonyManager;->'

export const privacyRules: RuleTable = {
  'android-privacy-imei': access(
    'imei',
    'middle',
    [`${TELEPHONY}getDeviceId(`, `${TELEPHONY}getImei(`, `${TELEPHONY}getMeid(`],
    closedSince29,
  ),
  'android-privacy-imsi': access(
    'imsi',
    'middle',
    [`${TELEPHONY}getSubscriberId(`, `${TELEPHONY}getSimSerialNumber(`],
    closedSince29,
  ),
  'android-privacy-android-id': access(
    'android_id',
    'low',
    ['Landroid/provider/Settings$Secure;->getString(', 'Landroid/provider/Settings$System;->getString('],
    (context, call) => stringArgument(context.program, call, 2) === 'android_id',
  ),
  'android-privacy-mac': access(
    'mac_address',
    'middle',
    ['Landroid/net/wifi/WifiInfo;->getMacAddress(', 'Ljava/net/NetworkInterface;->getHardwareAddress('],
    (context, call) => {
      if (context.facts === null) return true
      if (call.callee.includes('getMacAddress') && !mayTake(context.facts, 'mac_of_wifi')) return false
      if (call.callee.includes('getHardwareAddress')) return context.targetSdk >= 30 ? 'low' : true
      // From Android 6 on every application gets the constant 02:00:00:00:00:00.
      return context.minSdk >= 23 ? 'info' : true
    },
  ),
  'android-privacy-installed-apps': codeRule((context) => [
    ...callHits(
      context,
      [
        'Landroid/content/pm/PackageManager;->getInstalledPackages(',
        'Landroid/content/pm/PackageManager;->getInstalledApplications(',
      ],
      (call) => {
        if (isWrapper(call)) return false
        if (looksForCertain(context.program, call)) return { what: 'looks for certain ones', level: 'low' }
        return mayLeave(context.facts) ? true : 'low'
      },
    ),
    ...callHits(context, ['Ljava/lang/Runtime;->exec('], (call) =>
      [...traceArgument(context.program, call, 1, 1).strings].some((value) => /pm list packages/.test(value))
        ? { what: 'pm list packages' }
        : false,
    ),
  ]),
  'android-privacy-location': access(
    'location',
    'middle',
    [
      'Landroid/location/LocationManager;->requestLocationUpdates',
      'Landroid/location/LocationManager;->getLastKnownLocation(',
      `${TELEPHONY}getCellLocation(`,
      `${TELEPHONY}getAllCellInfo(`,
    ],
    (context, call) => {
      // The support library finds out when it gets dark, whatever its classes are called now.
      if (context.program.stringUses('TwilightManager').some(({ method }) => method.owner === call.method.owner))
        return false
      return isOneOf(context, 'map_navigation', 'online_car_hailing', 'takeout_food', 'express_delivery')
        ? 'info'
        : true
    },
  ),
  'android-privacy-wifi-scan': access('wifi_info', 'low', [
    'Landroid/net/wifi/WifiManager;->getScanResults(',
    'Landroid/net/wifi/WifiInfo;->getBSSID(',
    'Landroid/net/wifi/WifiInfo;->getSSID(',
  ]),
  'android-privacy-contacts': queries(
    'contacts',
    'high',
    [
      'ContactsContract$CommonDataKinds$Phone;->CONTENT_',
      'ContactsContract$Contacts;->CONTENT_',
      'ContactsContract$Data;->CONTENT_',
      'ContactsContract$RawContacts;->CONTENT_',
    ],
    ['content://com.android.contacts', 'content://contacts', 'content://icc/adn'],
  ),
  'android-privacy-sms': codeRule((context) => [
    ...(queries('sms', 'high', ['Telephony$Sms', 'Telephony$Mms'], ['content://sms', 'content://mms']).check(
      context,
    ) as readonly Hit[]),
    ...(access('sms', 'high', ['Landroid/telephony/SmsMessage;->createFromPdu(']).check(context) as readonly Hit[]),
  ]),
  'android-privacy-call-log': queries(
    'call_log',
    'high',
    ['CallLog$Calls;->CONTENT_', 'CallLog;->CONTENT_'],
    ['content://call_log'],
  ),
  'android-privacy-clipboard-read': access(
    'clipboard',
    'low',
    [
      'Landroid/content/ClipboardManager;->getPrimaryClip(',
      'Landroid/content/ClipboardManager;->getText(',
      'Landroid/text/ClipboardManager;->getText(',
    ],
    (_, call) => !/paste|TextContextMenu|EditText/i.test(`${call.method.name} ${call.method.owner}`),
  ),
  'android-privacy-running-apps': access(
    'app_usage',
    'low',
    ['Landroid/app/ActivityManager;->getRunningAppProcesses(', 'Landroid/app/ActivityManager;->getRunningTasks('],
    (context, call) =>
      context.program.callsFrom(call.method).some(({ callee }) => callee.startsWith('Landroid/os/Process;->myPid('))
        ? 'info'
        : true,
  ),
  'android-privacy-sensors': access('sensor', 'info', [
    'Landroid/hardware/SensorManager;->getSensorList(',
    'Landroid/hardware/SensorManager;->registerListener(',
  ]),
  'android-privacy-self-start': codeRule((context) => {
    const hits = callHits(context, [
      'Landroid/app/AlarmManager;->setRepeating(',
      'Landroid/app/AlarmManager;->setInexactRepeating(',
    ])
    for (const component of context.facts?.components ?? []) {
      const actions = component.intentFilters
        .flatMap((filter) => filter.actions)
        .filter((action) => SELF_START.test(action))
      if (component.kind === 'receiver' && component.enabled && actions.length)
        hits.push(
          componentHit(
            context,
            component,
            component.name,
            text(
              `${component.name} 由系统广播启动：${actions.join('、')}`,
              `${component.name} is started by ${actions.join(', ')}`,
            ),
          ),
        )
    }
    for (const call of callsTo(context, 'L*;->startService(Landroid/content/Intent;)')) {
      const trace = traceArgument(context.program, call, 1, 0)
      const foreign = passes(
        trace,
        'Intent;->setPackage(',
        'Intent;->setClassName(Ljava/lang/String;',
        'ComponentName;-><init>(Ljava/lang/String;',
      )
      const target = [...trace.strings].find(
        (value) =>
          /^(?:com|cn|net|org|io)\.[\w.]+$/.test(value) && !value.startsWith(context.facts?.package?.value ?? '\0'),
      )
      if (foreign && target && numberArgument(context.program, call, 9) === undefined)
        hits.push(
          codeHit(call, callKey(call, target), text(`启动其他应用的服务 ${target}`, `starts a service of ${target}`)),
        )
    }
    return hits
  }),
  'android-privacy-policy-absent': policyRule,
}

const SELF_START = /BOOT_COMPLETED|USER_PRESENT|CONNECTIVITY_CHANGE|PACKAGE_ADDED/
