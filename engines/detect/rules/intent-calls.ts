import type { CallSite, MethodFacts, Program, Value } from '../../dex/program.ts'
import { callsTo, parameterTypes, stringArgument } from './code.ts'
import { openClasses, runsInOpen } from './exported.ts'
import type { CodeContext, ManifestContext } from './rule.ts'
import { callsOn, madeBy } from './trace.ts'

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

/** A method that takes the intent as a parameter of a framework class, or only static helpers: not our types. */
export const takesIntent = (call: CallSite): number =>
  parameterTypes(call.callee).indexOf('Landroid/content/Intent;') + 1

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

export const isContextCall = (program: Program, call: CallSite): boolean => {
  const owner = call.callee.slice(0, call.callee.indexOf('->'))
  return /^L(?:android|androidx)\//.test(owner) || CONTEXTS.some((context) => program.isA(owner, context))
}

export const startsOf = (context: CodeContext): CallSite[] =>
  callsTo(context, ...START).filter(
    (call) => takesIntent(call) > 0 && isContextCall(context.program, call) && !STAYS_INSIDE.test(call.callee),
  )
/** Sends within the process alone. */
const STAYS_INSIDE = /\/LocalBroadcastManager;->/

/** Is the intent one with a target: made for a class, or given one? */
export function hasTarget(program: Program, call: CallSite, n: number): boolean | undefined {
  const made = madeBy(program, program.argument(call, n))
  if (made?.descriptor !== 'Landroid/content/Intent;') return undefined
  return callsOn(program, made).some(({ callee }) => GIVES_TARGET.test(callee)) || isGivenTarget(program, made)
}

const GIVES_TARGET =
  /->(?:setPackage|setClass|setClassName|setComponent)\(|-><init>\(Landroid\/content\/Context;Ljava\/lang\/Class;|-><init>\(Ljava\/lang\/String;Landroid\/net\/Uri;Landroid\/content\/Context;Ljava\/lang\/Class;/

/** Does the method hand the new intent to another of the package that gives it a target? */
function isGivenTarget(program: Program, made: Value & { kind: 'new' }): boolean {
  return program.callsFrom(made.location.method).some((call) => {
    const at = takesIntent(call)
    if (!at || madeBy(program, program.argument(call, at))?.location.offset !== made.location.offset) return false
    const taker = program
      .classOf(call.callee.slice(0, call.callee.indexOf('->')))
      ?.methods.find(({ reference }) => reference === call.callee)
    return (
      taker !== undefined &&
      program.callsFrom(taker).some((one) => {
        const on = program.argument(one, 0)
        return GIVES_TARGET.test(one.callee) && on.kind === 'parameter' && on.index === at
      })
    )
  })
}

export function extraKeys(program: Program, call: CallSite, n: number): string[] {
  const made = madeBy(program, program.argument(call, n))
  if (!made) return []
  return callsOn(program, made)
    .filter(({ callee }) => callee.includes('->putExtra('))
    .flatMap((extra) => stringArgument(program, extra, 1) ?? [])
}

export function actionOf(program: Program, call: CallSite, n: number): string | undefined {
  const made = madeBy(program, program.argument(call, n))
  if (!made) return undefined
  for (const on of callsOn(program, made))
    if (on.callee.includes('Intent;-><init>(Ljava/lang/String;') || on.callee.includes('->setAction('))
      return stringArgument(program, on, 1)
  return undefined
}

export function filterActions(program: Program, call: CallSite): string[] {
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
