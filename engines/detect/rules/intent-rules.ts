import type { CallSite, MethodFacts, Program } from '../../dex/program.ts'
import { descriptorOf } from '../evidence/locations.ts'
import {
  callHits,
  callKey,
  callsIn,
  callsTo,
  isOwn,
  numberArgument,
  outerClass,
  parameterTypes,
  stringArgument,
} from './code.ts'
import { providerOf } from './component-rules.ts'
import { isExported, openClasses, runsInOpen } from './exported.ts'
import { codeHit, componentHit, methodHit } from './hits.ts'
import { localDos } from './local-dos.ts'
import { appRule, type CodeContext, codeRule, type Hit, type ManifestContext, type RuleTable, text } from './rule.ts'
import { callsOn, madeBy, passes, type Trace, traceArgument } from './trace.ts'

const START = [
  'L*;->startActivity(',
  'L*;->startActivityForResult(',
  'L*;->startService(',
  'L*;->startForegroundService(',
  'L*;->sendBroadcast(',
]
/** What comes with an intent or a link: anybody's, where the component is open. */
export const FROM_OUTSIDE = [
  'Landroid/content/Intent;->get',
  'Landroid/os/Bundle;->get',
  'Landroid/net/Uri;->getQueryParameter',
  'Landroid/net/Uri;->getLastPathSegment',
]
/** Schemes that belong to no application. */
const COMMON_SCHEMES = new Set([
  'http',
  'https',
  'file',
  'content',
  'data',
  'about',
  'mailto',
  'tel',
  'sms',
  'smsto',
  'geo',
  'market',
  'package',
  'ftp',
])
const SECRET_KEY = /passw|passcode|passphrase|(?:^|[^a-z])pass(?:$|[^a-z])|token|pwd|secret|idcard|phone/i

/** A method that takes the intent as a parameter of a framework class, or only static helpers: not our types. */
const takesIntent = (call: CallSite): number => parameterTypes(call.callee).indexOf('Landroid/content/Intent;') + 1

/** Framework classes that have the methods of a context, or start for one. */
const CONTEXTS = [
  'Landroid/content/Context;',
  'Landroid/content/ContextWrapper;',
  'Landroid/view/ContextThemeWrapper;',
  'Landroid/app/Application;',
  'Landroid/app/Activity;',
  'Landroid/app/ListActivity;',
  'Landroid/app/TabActivity;',
  'Landroid/app/ActivityGroup;',
  'Landroid/app/NativeActivity;',
  'Landroid/preference/PreferenceActivity;',
  'Landroid/app/Service;',
  'Landroid/app/IntentService;',
  'Landroid/app/Fragment;',
  'Landroid/app/DialogFragment;',
  'Landroid/support/v4/app/Fragment;',
  'Landroidx/fragment/app/Fragment;',
]

const isContextCall = (program: Program, call: CallSite): boolean => {
  const owner = call.callee.slice(0, call.callee.indexOf('->'))
  return /^L(?:android|androidx)\//.test(owner) || CONTEXTS.some((context) => program.isA(owner, context))
}

const startsOf = (context: CodeContext): CallSite[] =>
  callsTo(context, ...START).filter((call) => takesIntent(call) > 0 && isContextCall(context.program, call))

/** Is the intent one with a target: made for a class, or given one? */
function hasTarget(program: Program, call: CallSite, n: number): boolean | undefined {
  const made = madeBy(program, program.argument(call, n))
  if (made?.descriptor !== 'Landroid/content/Intent;') return undefined
  return callsOn(program, made).some(({ callee }) =>
    /->(?:setPackage|setClass|setClassName|setComponent)\(|-><init>\(Landroid\/content\/Context;Ljava\/lang\/Class;|-><init>\(Ljava\/lang\/String;Landroid\/net\/Uri;Landroid\/content\/Context;Ljava\/lang\/Class;/.test(
      callee,
    ),
  )
}

function extraKeys(program: Program, call: CallSite, n: number): string[] {
  const made = madeBy(program, program.argument(call, n))
  if (!made) return []
  return callsOn(program, made)
    .filter(({ callee }) => callee.includes('->putExtra('))
    .flatMap((extra) => stringArgument(program, extra, 1) ?? [])
}

function actionOf(program: Program, call: CallSite, n: number): string | undefined {
  const made = madeBy(program, program.argument(call, n))
  if (!made) return undefined
  for (const on of callsOn(program, made))
    if (on.callee.includes('Intent;-><init>(Ljava/lang/String;') || on.callee.includes('->setAction('))
      return stringArgument(program, on, 1)
  return undefined
}

const BROADCASTS = [
  'L*;->sendBroadcast(Landroid/content/Intent;)V',
  'L*;->sendOrderedBroadcast(Landroid/content/Intent;Ljava/lang/String;)V',
]

export const intentRules: RuleTable = {
  'android-provider-path-traversal': appRule((context) => {
    const hits: Hit[] = []
    for (const found of context.program.subclassesOf('Landroid/content/ContentProvider;')) {
      const component = providerOf(context, found.descriptor)
      if (!component || !(isExported(context, component) || component.grantUriPermissions)) continue
      if (context.program.isA(found.descriptor, 'Landroidx/core/content/FileProvider;')) continue
      for (const method of found.methods) {
        if (method.name !== 'openFile' || !method.codeSize) continue
        const opens = context.program
          .callsFrom(method)
          .find(({ callee }) => callee.includes('ParcelFileDescriptor;->open('))
        const trace = opens && traceArgument(context.program, opens, 1)
        const fromUri =
          trace &&
          passes(trace, 'Uri;->getLastPathSegment', 'Uri;->getPath', 'Uri;->getPathSegments', 'Uri;->getEncodedPath')
        if (
          !opens ||
          !fromUri ||
          passes(trace, 'getCanonicalPath', 'getCanonicalFile') ||
          callsIn(context.program, method, 'getCanonicalPath', 'getCanonicalFile')
        )
          continue
        hits.push(
          codeHit(
            opens,
            'openFile',
            text(
              'openFile 用 uri 拼出路径，未比较规范路径',
              'openFile builds a path from the uri and never compares the canonical one',
            ),
          ),
        )
      }
    }
    return hits
  }),

  'android-provider-sql-injection': appRule((context) => {
    const hits: Hit[] = []
    for (const found of context.program.subclassesOf('Landroid/content/ContentProvider;')) {
      const component = providerOf(context, found.descriptor)
      if (!component || !isExported(context, component)) continue
      for (const method of found.methods) {
        if (!['query', 'update', 'delete'].includes(method.name) || !method.codeSize) continue
        if (callsIn(context.program, method, 'setStrict(', 'setProjectionMap(')) continue
        const sink = context.program.callsFrom(method).find((call) => takesSelection(context.program, call))
        if (sink)
          hits.push(
            codeHit(
              sink,
              `${method.name} sql`,
              text(
                `${method.name} 的外部条件直接进入 SQL`,
                `what the caller of ${method.name} gives goes into SQL as it is`,
              ),
            ),
          )
      }
    }
    return hits
  }),

  'android-deeplink-custom-scheme': appRule((context) =>
    context.facts.components.flatMap((component): Hit[] => {
      if (!component.enabled) return []
      const schemes = new Set(
        component.intentFilters
          .filter(({ categories }) => categories.includes('android.intent.category.BROWSABLE'))
          .flatMap(({ data }) => data.flatMap(({ scheme }) => scheme ?? []))
          .filter(
            (scheme) =>
              !COMMON_SCHEMES.has(scheme) &&
              !/^(?:wx[0-9a-f]{16}|tencent\d+|QQ[0-9A-F]+|alipay.*|ap20\d+)$/.test(scheme),
          ),
      )
      if (!schemes.size) return []
      const open = new Set([descriptorOf(component.targetActivity ?? component.name)])
      const flows = startsOf(context)
        .map((call) => ({ call, n: takesIntent(call) }))
        .concat(callsTo(context, 'Landroid/webkit/WebView;->loadUrl(').map((call) => ({ call, n: 1 })))
        .some(
          ({ call, n }) =>
            runsInOpen(context, open, call.method) &&
            passes(
              traceArgument(context.program, call, n),
              'Uri;->getQueryParameter',
              'Intent;->getData',
              'Intent;->parseUri',
            ),
        )
      const names = [...schemes].join(', ')
      return [
        componentHit(
          context,
          component,
          `${component.name} ${names}`,
          flows
            ? text(
                `${component.name} 打开 ${names} 链接，其参数流入页面或跳转`,
                `${component.name} opens ${names} links, whose values reach a page or a start`,
              )
            : text(`${component.name} 打开 ${names} 链接`, `${component.name} opens ${names} links`),
          flows ? 'middle' : 'info',
        ),
      ]
    }),
  ),

  'android-intent-scheme-url': codeRule((context) =>
    callHits(context, ['Landroid/content/Intent;->parseUri('], (call) => {
      const { program } = context
      const clears =
        callsIn(program, call.method, '->addCategory(') &&
        callsIn(program, call.method, '->setComponent(') &&
        callsIn(program, call.method, '->setSelector(')
      if (clears || callsIn(program, call.method, '->getPackage(', '->resolveActivity(')) return false
      const starts = startsOf(context).some(
        (start) =>
          start.method.reference === call.method.reference &&
          passes(traceArgument(program, start, takesIntent(start), 0), 'Intent;->parseUri('),
      )
      const web =
        program.isA(call.method.owner, 'Landroid/webkit/WebViewClient;') ||
        program.isA(outerClass(call.method.owner), 'Landroid/app/Activity;')
      return starts && web
    }),
  ),

  'android-implicit-intent-sensitive': codeRule((context) =>
    startsOf(context).flatMap((call): Hit[] => {
      const n = takesIntent(call)
      if (hasTarget(context.program, call, n) !== false) return []
      const key = extraKeys(context.program, call, n).find((name) => SECRET_KEY.test(name))
      return key
        ? [
            codeHit(
              call,
              `${callKey(call)} ${key}`,
              text(`隐式 Intent 携带 ${key}`, `an implicit intent carries ${key}`),
            ),
          ]
        : []
    }),
  ),

  'android-sticky-broadcast': codeRule((context) =>
    callHits(
      context,
      ['L*;->sendStickyBroadcast(', 'L*;->sendStickyOrderedBroadcast('],
      (call) => isOwn(context, call) && isContextCall(context.program, call),
    ),
  ),

  'android-dynamic-receiver-exported': codeRule((context) =>
    callHits(context, ['L*;->registerReceiver('], (call) => dynamicReceiver(context, call)),
  ),

  'android-ordered-broadcast-leak': codeRule((context) => ({
    hits: callHits(context, [...BROADCASTS], (call) => {
      if (
        !isOwn(context, call) ||
        call.callee.includes('LocalBroadcastManager') ||
        !isContextCall(context.program, call)
      )
        return false
      if (call.callee.includes('sendOrderedBroadcast') && context.program.argument(call, 2).kind !== 'null')
        return false
      const action = actionOf(context.program, call, 1)
      if (
        !action ||
        action.startsWith('android.') ||
        /badge|LAUNCHER/i.test(action) ||
        hasTarget(context.program, call, 1) !== false
      )
        return false
      const made = madeBy(context.program, context.program.argument(call, 1))
      const addsExtras = made && callsOn(context.program, made).some(({ callee }) => /->putExtras?\(/.test(callee))
      return addsExtras ? { what: action } : false
    }),
    looked: callsTo(context, ...BROADCASTS),
  })),

  'android-pending-intent-mutable': codeRule((context) =>
    callHits(
      context,
      [
        'Landroid/app/PendingIntent;->getActivity(',
        'Landroid/app/PendingIntent;->getBroadcast(',
        'Landroid/app/PendingIntent;->getService(',
      ],
      (call) => {
        const flags = numberArgument(context.program, call, 4)
        if (flags === undefined || flags & 0x04000000) return false
        if (!(flags & 0x02000000) && context.targetSdk >= 31) return false
        if (hasTarget(context.program, call, 3) !== false) return false
        return {
          what: `flags 0x${flags.toString(16)}`,
          ...(goesToSystemOnly(context.program, call.method, 1) && { level: 'low' as const }),
        }
      },
    ),
  ),

  'android-fragment-injection': appRule((context) => {
    const open = openClasses(context, 'activity', 'activity-alias')
    return context.program.subclassesOf('Landroid/preference/PreferenceActivity;').flatMap((found): Hit[] => {
      if (!open.has(found.descriptor)) return []
      const check = found.methods.find(({ name }) => name === 'isValidFragment')
      const values = check ? context.program.returns(check) : []
      const always = values.length > 0 && values.every((value) => value.kind === 'number' && Number(value.value) === 1)
      if (check ? !always : context.targetSdk >= 19) return []
      const detail = check
        ? text('isValidFragment 总是返回 true', 'isValidFragment always returns true')
        : text('未实现 isValidFragment', 'isValidFragment is missing')
      return [methodHit(found, check ?? found.methods[0]!, 'isValidFragment', detail)].filter(
        ({ location }) => location.class,
      )
    })
  }),

  'android-intent-redirection': appRule((context) => {
    const open = openClasses(context, 'activity', 'activity-alias', 'service', 'receiver')
    const sinks = [
      ...startsOf(context),
      ...callsTo(context, 'Landroid/app/Activity;->setResult(ILandroid/content/Intent;)V'),
    ]
    return sinks.flatMap((call): Hit[] => {
      if (!runsInOpen(context, open, call.method)) return []
      const trace = traceArgument(context.program, call, takesIntent(call))
      const nested = passes(
        trace,
        'Intent;->getParcelableExtra(',
        'Bundle;->getParcelable(',
        'IntentCompat;->getParcelableExtra(',
      )
      if (
        !nested ||
        !isForwarded(context.program, call) ||
        callsIn(
          context.program,
          call.method,
          '->resolveActivity(',
          'IntentSanitizer',
          '->getCallingPackage(',
          '->getComponent(',
        )
      )
        return []
      return [
        codeHit(
          call,
          callKey(call, 'nested'),
          text('转发外部传入的 Intent', 'forwards an intent that came in from outside'),
        ),
      ]
    })
  }),

  'android-component-local-dos': appRule((context) => localDos(context)),

  'android-set-result-leak': appRule((context) => {
    const open = openClasses(context, 'activity', 'activity-alias')
    const SET_RESULT = 'L*;->setResult(ILandroid/content/Intent;)V'
    const hits = callHits(context, [SET_RESULT], (call) => {
      if (!runsInOpen(context, open, call.method)) return false
      const value = context.program.argument(call, 2)
      return (
        value.kind === 'call' &&
        value.callee.endsWith('->getIntent()Landroid/content/Intent;') &&
        !callsIn(context.program, call.method, '->removeFlags(', '->setFlags(')
      )
    })
    return { hits, looked: callsTo(context, SET_RESULT) }
  }),
}

const PENDING = 'Landroid/app/PendingIntent;'
/** Services of Android that keep a pending intent to themselves: no other application gets it, and so none fills it in. */
const SYSTEM_TAKERS =
  /^Landroid\/(?:app\/AlarmManager|location\/LocationManager|nfc\/NfcAdapter|hardware\/usb\/UsbManager|telephony\/(?:gsm\/)?SmsManager);->/

/** Does a method put a pending intent into another intent or a notification? */
function putsAway(program: Program, method: MethodFacts): boolean {
  return (
    program
      .fieldUses('Landroid/app/Notification;')
      .some((use) => use.write && use.field.endsWith(`:${PENDING}`) && use.method.reference === method.reference) ||
    program.callsFrom(method).some((call) => {
      const at = parameterTypes(call.callee).indexOf('Landroid/os/Parcelable;') + 1
      const value = at > 0 ? program.argument(call, at) : undefined
      return (
        (value?.kind === 'call' && value.callee.endsWith(`)${PENDING}`)) ||
        (value?.kind === 'field' && value.field.endsWith(`:${PENDING}`))
      )
    })
  )
}

/** Does all that the class does with pending intents, and callers do that get one from the method, hand them to Android's own services? */
function goesToSystemOnly(program: Program, method: MethodFacts, depth: number): boolean {
  const methods = program
    .fieldUses(method.owner)
    .some(
      ({ write, field, method: user }) => write && user.reference === method.reference && field.endsWith(`:${PENDING}`),
    )
    ? (program.classOf(method.owner)?.methods ?? [])
    : [method]
  const takers = methods
    .flatMap((one) => [...program.callsFrom(one)])
    .filter(({ callee }) => parameterTypes(callee).includes(PENDING))
  if (takers.some(({ callee }) => !SYSTEM_TAKERS.test(callee)) || methods.some((one) => putsAway(program, one)))
    return false
  if (method.returns !== PENDING) return takers.length > 0
  const callers = program.callsTo(method.reference)
  return depth > 0 && callers.length > 0 && callers.every((call) => goesToSystemOnly(program, call.method, depth - 1))
}

/** Is the very extra what is passed on, not something made of it? */
function isForwarded(program: Program, call: CallSite): boolean {
  const value = program.argument(call, takesIntent(call))
  return value.kind === 'call' && /getParcelable/.test(value.callee)
}

/** A database call with the provider's own parameter as statement, condition or order. */
function takesSelection(program: Program, call: CallSite): boolean {
  const sql =
    /SQLite(?:Database|QueryBuilder);->(?:rawQuery|execSQL|query|update|delete)\(/.test(call.callee) ||
    /database\/SQLiteDatabase;->/.test(call.callee)
  if (!sql) return false
  return parameterTypes(call.callee).some((type, i) => {
    if (type !== 'Ljava/lang/String;') return false
    const value = program.argument(call, i + 1)
    if (value.kind === 'parameter') return true
    const trace: Trace = traceArgument(program, call, i + 1, 0)
    return trace.fromParameter && [...trace.calls].some((callee) => callee.includes('StringBuilder'))
  })
}

function dynamicReceiver(context: CodeContext, call: CallSite): boolean | { what: string } {
  const { program } = context
  const types = parameterTypes(call.callee)
  if (!isOwn(context, call) || call.callee.includes('LocalBroadcastManager') || !isContextCall(program, call))
    return false
  if (types[0] !== 'Landroid/content/BroadcastReceiver;' || program.argument(call, 1).kind === 'null') return false
  if (types.length === 3) {
    const flags = numberArgument(program, call, 3)
    if (flags === undefined || !(flags & 2)) return false
  } else if (types.length === 4 || types.length === 5) {
    if (program.argument(call, 3).kind !== 'null') return false
    if (types.length === 5 && (numberArgument(program, call, 5) ?? 0) & 4) return false
  }
  const actions = filterActions(program, call)
  const odd = actions.filter(
    (action) =>
      !/^android\.(?:intent\.action|net|bluetooth|media|hardware|os|app|location|nfc|provider)\./.test(action),
  )
  return odd.length ? { what: odd.join(' ') } : false
}

function filterActions(program: Program, call: CallSite): string[] {
  const made = madeBy(program, program.argument(call, 2))
  if (!made) return []
  return callsOn(program, made)
    .filter(
      ({ callee }) => callee.includes('IntentFilter;-><init>(Ljava/lang/String;') || callee.includes('->addAction('),
    )
    .flatMap((on) => stringArgument(program, on, 1) ?? [])
}

/** For other rule groups: does the class or one around it take part in an open component? */
export const isWebOpen = (context: ManifestContext & CodeContext, method: MethodFacts): boolean =>
  runsInOpen(context, openClasses(context, 'activity', 'activity-alias'), method)
