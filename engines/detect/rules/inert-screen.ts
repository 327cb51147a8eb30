import type { Component } from '../../apk/apk-facts.ts'
import type { ClassFacts } from '../../dex/program.ts'
import { descriptorOf } from '../evidence/locations.ts'
import { asksForPassword } from '../permissions/find-collected.ts'
import type { Text } from '../result/scan-result.ts'
import { callsTo, isOwn, outerClass, stringArgument } from './code.ts'
import { type CodeContext, type ManifestContext, text } from './rule.ts'

const CONFIGURE = 'android.appwidget.action.APPWIDGET_CONFIGURE'
const WIDGET = 'appWidgetId'
const GET_INTENT = 'L*;->getIntent()Landroid/content/Intent;'
/** Libraries of Android, whose screens take nothing from an intent by themselves. */
const QUIET = new Set(['androidx', 'support-lib', 'material'])
/** Takes screens out of the intent of the activity that it is in. */
const NAVIGATION = 'Landroidx/navigation/NavController;'
/** Screens of Android that take no more than a fragment, which Android refuses from target SDK 19 on where nothing allows it. */
const BASES = /^Landroid\/(?:app\/(?:Activity|ListActivity)|preference\/PreferenceActivity);$/
const CHECKED_FRAGMENTS = 19
/** What a screen could do as soon as it opens, such as fetch what it shows, or give to who opened it. */
const EFFECTS =
  /Thread;->start\(|AsyncTask;->execute|->(?:execute|enqueue|submit|openConnection|loadUrl|postUrl)\(|\/coroutines\/|SmsManager;->send|MediaRecorder;->|\/telecom\/|File;->delete|SQLiteDatabase;->(?:delete|execSQL)\(|->deleteDatabase\(|;->clear\(\)Landroid\/content\/SharedPreferences\$Editor;|->setResult\(ILandroid\/content\/Intent;\)|->startService\(|->sendBroadcast\(/

/**
 * Why another application can do no more than open a screen; undefined where it may do more: the screen takes something from the intent, gives
 * something back, acts when it opens, or lies behind a password.
 */
export function opensOnly(context: ManifestContext, component: Component): Text | undefined {
  const { program, packer, codeGap } = context
  if (!program || packer || codeGap || program.classOf(NAVIGATION) || asksForPassword(context)) return undefined
  const screens = screensOf(context as CodeContext, descriptorOf(component.targetActivity ?? component.name))
  if (!screens) return undefined
  const actions = component.intentFilters.flatMap((filter) => filter.actions)
  if (actions.length > 0 && actions.every((action) => action === CONFIGURE))
    return takesWidgetOnly(context as CodeContext, screens) ? ONLY_WIDGET : undefined
  const calls = screens.flatMap(({ methods }) => methods.flatMap((one) => program.callsFrom(one)))
  if (calls.some(({ callee }) => EFFECTS.test(callee)) || takesIntent(context as CodeContext, screens)) return undefined
  return ONLY_OPEN
}

const ONLY_OPEN = text(
  '；该界面不读取启动它的 Intent，包内也没有密码输入框：其他应用只能打开它',
  '; the screen reads nothing of the intent that opens it, and no password guards screens: others can only open it',
)
const ONLY_WIDGET = text(
  '；启动器须能打开小部件的配置界面，它只读取小部件的编号',
  '; home screens have to open it to set up a widget, and it reads the number of the widget alone',
)

/** The class of a screen and those that it extends but Android's own; undefined where one is not known. */
function screensOf({ program, ownerOf, targetSdk }: CodeContext, descriptor: string): ClassFacts[] | undefined {
  const screens: ClassFacts[] = []
  for (let at: string | null = descriptor, depth = 0; at && depth < 16; depth++) {
    const found: ClassFacts | undefined = program.classOf(at)
    if (!found)
      return screens.length && BASES.test(at) && (targetSdk >= CHECKED_FRAGMENTS || !at.includes('Preference'))
        ? screens
        : undefined
    const owner = ownerOf(at)
    if (owner.kind === 'sdk' && QUIET.has(owner.sdk ?? '')) return screens.length ? screens : undefined
    screens.push(found)
    at = found.superclass
  }
  return undefined
}

/** Does a screen ask for its intent, or take a new one? What other code than a screen's asks for one, it may ask of this screen. */
function takesIntent(context: CodeContext, screens: readonly ClassFacts[]): boolean {
  const { program } = context
  if (screens.some(({ methods }) => methods.some(({ name }) => name === 'onNewIntent' || name === 'isValidFragment')))
    return true
  const classes = new Set(screens.map(({ descriptor }) => descriptor))
  return callsTo(context, GET_INTENT).some((call) => {
    const outer = outerClass(call.method.owner)
    return (
      classes.has(outer) || classes.has(call.method.owner) || (isOwn(context, call) && !program.isA(outer, ACTIVITY))
    )
  })
}
const ACTIVITY = 'Landroid/app/Activity;'

/** Do the screens read nothing from an intent but the number of a widget? */
function takesWidgetOnly({ program }: CodeContext, screens: readonly ClassFacts[]): boolean {
  const classes = new Set(screens.map(({ descriptor }) => descriptor))
  return ['Landroid/content/Intent;->', 'Landroid/os/Bundle;->']
    .flatMap((pattern) => program.callsTo(pattern))
    .filter(
      ({ callee, method }) =>
        callee.includes(';->get') && (classes.has(outerClass(method.owner)) || classes.has(method.owner)),
    )
    .every((call) => call.callee.includes('->getExtras(') || stringArgument(program, call, 1) === WIDGET)
}
