import type { CallSite } from '../../dex/program.ts'
import type { FindingLevel } from '../result/scan-result.ts'
import { isOneOf } from './application-type.ts'
import { siteText } from './call-text.ts'
import { callHits, callKey, callsTo, numberArgument, stringArgument } from './code.ts'
import { componentHit, siteHit, wholeHit } from './hits.ts'
import { type CodeContext, codeRule, type Hit, notAssessed, type Rule, type RuleTable, text } from './rule.ts'
import { startReach } from './start-reach.ts'
import { passes, traceArgument } from './trace.ts'

const RAISED: Record<FindingLevel, FindingLevel> = { info: 'low', low: 'middle', middle: 'high', high: 'high' }

/** Accesses by level; what runs before anybody could have agreed counts one level more. */
function access(
  base: FindingLevel,
  patterns: readonly string[],
  judge: (context: CodeContext, call: CallSite) => FindingLevel | boolean = () => true,
): Rule {
  return codeRule((context) =>
    callsTo(context, ...patterns).flatMap((call): Hit[] => {
      if (isWrapper(call)) return []
      const judged = judge(context, call)
      if (judged === false) return []
      const early = startReach(context).has(call.method.reference)
      const level = judged === true ? base : judged
      const raised = early && level !== 'info' ? RAISED[level] : level
      return [siteHit(call, callKey(call), siteText(call, early), raised)]
    }),
  )
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

/** Queries of a content provider by the field or the address that names it. */
function queries(base: FindingLevel, fields: readonly string[], addresses: readonly string[]): Rule {
  return codeRule((context) =>
    callsTo(context, 'Landroid/content/ContentResolver;->query(').flatMap((call): Hit[] => {
      const trace = traceArgument(context.program, call, 1, 1)
      const fits =
        [...trace.fields].some((field) => fields.some((part) => field.includes(part))) ||
        [...trace.strings].some((value) => addresses.some((address) => value.startsWith(address)))
      if (!fits || passes(trace, 'Intent;->getData(')) return []
      const early = startReach(context).has(call.method.reference)
      return [siteHit(call, callKey(call), siteText(call, early), early ? RAISED[base] : base)]
    }),
  )
}

const TELEPHONY = 'Landroid/telephony/TelephonyManager;->'

export const privacyRules: RuleTable = {
  'android-privacy-imei': access(
    'middle',
    [`${TELEPHONY}getDeviceId(`, `${TELEPHONY}getImei(`, `${TELEPHONY}getMeid(`],
    closedSince29,
  ),
  'android-privacy-imsi': access(
    'middle',
    [`${TELEPHONY}getSubscriberId(`, `${TELEPHONY}getSimSerialNumber(`],
    closedSince29,
  ),
  'android-privacy-android-id': access(
    'low',
    ['Landroid/provider/Settings$Secure;->getString(', 'Landroid/provider/Settings$System;->getString('],
    (context, call) => stringArgument(context.program, call, 2) === 'android_id',
  ),
  'android-privacy-mac': access(
    'middle',
    ['Landroid/net/wifi/WifiInfo;->getMacAddress(', 'Ljava/net/NetworkInterface;->getHardwareAddress('],
    (context, call) =>
      call.callee.includes('getHardwareAddress') && context.targetSdk >= 30 && context.facts !== null ? 'low' : true,
  ),
  'android-privacy-installed-apps': codeRule((context) => [
    ...callHits(
      context,
      [
        'Landroid/content/pm/PackageManager;->getInstalledPackages(',
        'Landroid/content/pm/PackageManager;->getInstalledApplications(',
      ],
      (call) => (isWrapper(call) ? false : startReach(context).has(call.method.reference) ? 'high' : true),
    ),
    ...callHits(context, ['Ljava/lang/Runtime;->exec('], (call) =>
      [...traceArgument(context.program, call, 1, 1).strings].some((value) => /pm list packages/.test(value))
        ? { what: 'pm list packages' }
        : false,
    ),
  ]),
  'android-privacy-location': access(
    'middle',
    [
      'Landroid/location/LocationManager;->requestLocationUpdates',
      'Landroid/location/LocationManager;->getLastKnownLocation(',
      `${TELEPHONY}getCellLocation(`,
      `${TELEPHONY}getAllCellInfo(`,
    ],
    (context) =>
      isOneOf(context, 'map_navigation', 'online_car_hailing', 'takeout_food', 'express_delivery') ? 'info' : true,
  ),
  'android-privacy-wifi-scan': access('low', [
    'Landroid/net/wifi/WifiManager;->getScanResults(',
    'Landroid/net/wifi/WifiInfo;->getBSSID(',
    'Landroid/net/wifi/WifiInfo;->getSSID(',
  ]),
  'android-privacy-contacts': queries(
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
    ...(queries('high', ['Telephony$Sms', 'Telephony$Mms'], ['content://sms', 'content://mms']).check(
      context,
    ) as readonly Hit[]),
    ...(access('high', ['Landroid/telephony/SmsMessage;->createFromPdu(']).check(context) as readonly Hit[]),
  ]),
  'android-privacy-call-log': queries(
    'high',
    ['CallLog$Calls;->CONTENT_', 'CallLog;->CONTENT_'],
    ['content://call_log'],
  ),
  'android-privacy-clipboard-read': access(
    'low',
    [
      'Landroid/content/ClipboardManager;->getPrimaryClip(',
      'Landroid/content/ClipboardManager;->getText(',
      'Landroid/text/ClipboardManager;->getText(',
    ],
    (_, call) => !/paste|TextContextMenu|EditText/i.test(`${call.method.name} ${call.method.owner}`),
  ),
  'android-privacy-running-apps': access(
    'low',
    ['Landroid/app/ActivityManager;->getRunningAppProcesses(', 'Landroid/app/ActivityManager;->getRunningTasks('],
    (context, call) =>
      context.program.callsFrom(call.method).some(({ callee }) => callee.startsWith('Landroid/os/Process;->myPid('))
        ? 'info'
        : true,
  ),
  'android-privacy-sensors': access('info', [
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
          siteHit(call, callKey(call, target), text(`启动其他应用的服务 ${target}`, `starts a service of ${target}`)),
        )
    }
    return hits
  }),
  'android-privacy-policy-absent': {
    needs: ['manifest'],
    check: (context) => {
      if (
        context.texts.pieces.some(({ text: piece }) =>
          /隐私(?:政策|协议|权政策|条款|声明|保护)|privacy\s*(?:policy|statement|notice)|privacy[_-]policy/i.test(
            piece,
          ),
        )
      )
        return []
      if (context.packer)
        return notAssessed(
          `加固应用（${context.packer.zh}）需人工复核`,
          `the package is packed (${context.packer.en}): a person must look`,
        )
      if (!context.facts?.components.some(({ kind }) => kind === 'activity'))
        return { verdict: 'not_applicable', reason: text('没有界面', 'there are no screens') }
      return [
        wholeHit(
          context,
          'no policy',
          text('资源、代码与文件中均未提及隐私政策', 'neither resources, code nor files name a privacy policy'),
        ),
      ]
    },
  },
}

const SELF_START = /BOOT_COMPLETED|USER_PRESENT|CONNECTIVITY_CHANGE|PACKAGE_ADDED/
