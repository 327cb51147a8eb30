import type { CallSite, Program } from '../../dex/program.ts'
import { descriptorOf } from '../evidence/locations.ts'
import { callHits, callKey, callsIn, callsTo, isOwn, numberArgument, outerClass } from './code.ts'
import { openClasses, runsInOpen } from './exported.ts'
import { codeHit, componentHit, methodHit } from './hits.ts'
import { extraKeys, hasTarget, startsOf, takesIntent } from './intent-calls.ts'
import { localDos } from './local-dos.ts'
import { goesToGoogle, goesToSystemOnly } from './pending-intents.ts'
import { appRule, codeRule, type Hit, type RuleTable, text } from './rule.ts'
import { passes, traceArgument } from './trace.ts'

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

export const intentRules: RuleTable = {
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
              text(`隐式 Intent 携带 ${key}`, `an implicit intent contains ${key}`),
            ),
          ]
        : []
    }),
  ),

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
        const isKept = goesToSystemOnly(context.program, call.method, 1) || goesToGoogle(context.program, call.method)
        // A library answers for whom it hands it to; where it goes was not followed.
        const level = isKept ? ('low' as const) : isOwn(context, call) ? undefined : ('middle' as const)
        return { what: `flags 0x${flags.toString(16)}`, ...(level && { level }) }
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

/** Is the very extra what is passed on, not something made of it? */
function isForwarded(program: Program, call: CallSite): boolean {
  const value = program.argument(call, takesIntent(call))
  return value.kind === 'call' && /getParcelable/.test(value.callee)
}
