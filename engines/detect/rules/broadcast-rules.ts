import type { CallSite } from '../../dex/program.ts'
import { callHits, callsTo, isOwn, numberArgument, parameterTypes } from './code.ts'
import { actionOf, filterActions, hasTarget, isContextCall } from './intent-calls.ts'
import { type CodeContext, codeRule, type RuleTable } from './rule.ts'
import { callsOn, madeBy } from './trace.ts'

const BROADCASTS = [
  'L*;->sendBroadcast(Landroid/content/Intent;)V',
  'L*;->sendOrderedBroadcast(Landroid/content/Intent;Ljava/lang/String;)V',
]

export const broadcastRules: RuleTable = {
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
