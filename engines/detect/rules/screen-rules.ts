import { layouts } from '../evidence/layouts.ts'
import { attributeText, elementsOf } from '../evidence/xml-text.ts'
import { isFinance, isOneOf } from './application-type.ts'
import { callsIn, callsTo, isOwn, numberArgument } from './code.ts'
import { wholeHit } from './hits.ts'
import { keyboardCache } from './keyboard-cache.ts'
import { appRule, codeRule, manifestRule, notApplicable, type RuleTable, text } from './rule.ts'

/** What other applications see of the screen, or put over it. */
export const screenRules: RuleTable = {
  'android-screenshot-unprotected': codeRule((context) => {
    const secured = callsTo(context, 'Landroid/view/Window;->setFlags(', 'Landroid/view/Window;->addFlags(').some(
      (call) => ((numberArgument(context.program, call, 1) ?? 0) & 0x2000) !== 0,
    )
    const has = context.facts?.components.some(({ kind }) => kind === 'activity')
    if (!has) return notApplicable('没有界面', 'there are no screens')
    return secured
      ? []
      : [
          wholeHit(
            context,
            'no FLAG_SECURE',
            text('没有界面使用 FLAG_SECURE', 'no screen uses FLAG_SECURE'),
            isFinance(context) || isOneOf(context, 'instant_messaging') ? 'middle' : undefined,
          ),
        ]
  }),

  'android-keyboard-cache': manifestRule((context) => keyboardCache(context)),

  'android-tapjacking': appRule((context) => {
    if (!context.facts.components.some(({ kind }) => kind === 'activity'))
      return notApplicable('没有界面', 'there are no screens')
    const called = callsTo(
      context,
      'L*;->setFilterTouchesWhenObscured(',
      'Landroid/view/Window;->setHideOverlayWindows(',
    ).some((call) => numberArgument(context.program, call, 1) === 1)
    if (
      called ||
      layouts(context).some(({ root }) =>
        [...elementsOf(root)].some(({ element }) => attributeText(element, 'filterTouchesWhenObscured') === 'true'),
      )
    )
      return []
    return [
      wholeHit(
        context,
        'no touch filter',
        text('没有遮挡触摸过滤', 'nothing filters touches through overlays'),
        isFinance(context) ? 'middle' : undefined,
      ),
    ]
  }),

  'android-activity-hijack-detect-absent': codeRule((context) => {
    if (!isFinance(context))
      return notApplicable('只对金融支付类应用提出', 'asked of finance and payment applications only')
    const found = [...context.program.subclassesOf('Landroid/app/Activity;')].some((found) =>
      found.methods.some(
        (method) =>
          /^on(?:Pause|Stop|UserLeaveHint)$/.test(method.name) &&
          callsIn(
            context.program,
            method,
            '->getRunningTasks(',
            '->getAppTasks(',
            'Toast;->makeText(',
            'NotificationManager;->notify(',
            'getRunningAppProcesses(',
          ),
      ),
    )
    return found
      ? []
      : [wholeHit(context, 'no hijack check', text('没有界面劫持检测', 'nothing notices a screen put on top'))]
  }),

  'android-secure-keyboard-absent': codeRule((context) => {
    if (!isFinance(context))
      return notApplicable('只对金融支付类应用提出', 'asked of finance and payment applications only')
    const known = context.sdks.some(({ id }) =>
      ['cfca-keyboard', 'microdone', 'yitong-keyboard', 'bangcle-crypto'].includes(id),
    )
    const own = callsTo(context, 'Landroid/inputmethodservice/KeyboardView;->setKeyboard(').some((call) =>
      isOwn(context, call),
    )
    return known || own
      ? []
      : [wholeHit(context, 'no secure keyboard', text('没有安全键盘', 'there is no secure keyboard'))]
  }),
}
