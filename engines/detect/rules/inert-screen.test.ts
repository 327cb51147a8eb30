import { describe, expect, test } from 'vitest'
import { type Body, method } from '#tests/support/code-body.ts'
import { element, type MadePackage } from '#tests/support/detect-package.ts'
import type { WrittenDexClass } from '#tests/support/dex-writer.ts'
import { judgeOne } from '#tests/support/judge-item.ts'

const ABOUT = 'Lorg/maker/app/About;'
const INTENT = 'Landroid/app/Activity;->getIntent()Landroid/content/Intent;'
const CONFIGURE = 'android.appwidget.action.APPWIDGET_CONFIGURE'

/** A screen that its filter exports, with this code when it opens. */
function judged(
  write: (body: Body) => void = () => {},
  more: Partial<MadePackage> = {},
  about: Partial<WrittenDexClass> = {},
  action = 'org.maker.ABOUT',
) {
  const { level, findings } = judgeOne('android-exported-activity', {
    targetSdk: 28,
    ...more,
    components: [
      element('activity', { name: '.About' }, element('intent-filter', {}, element('action', { name: action }))),
    ],
    classes: [
      {
        name: ABOUT,
        superclass: 'Landroid/app/Activity;',
        ...about,
        methods: [method('<init>()V'), method('onCreate(Landroid/os/Bundle;)V', write), ...(about.methods ?? [])],
      },
      ...(more.classes ?? []),
    ],
  })
  return { level, detail: findings[0]!.detail }
}

describe('[DET-03] exported screens that others can only open', () => {
  test('are low where they read nothing of the intent, and the finding says so', () => {
    const { level, detail } = judged()
    expect(level).toBe('low')
    expect(detail.en).toMatch(
      /; the screen reads nothing of the intent that opens it, and no password guards screens: others can only open it$/,
    )
    expect(detail.zh).toContain('；该界面不读取启动它的 Intent')
  })

  test('keep their level where they take the intent, by themselves, in a class they extend or in other code', () => {
    const takes = (body: Body) => void body.virtual(INTENT, null)
    expect(judged(takes).level).toBe('middle')
    const base = {
      name: 'Lorg/maker/app/Base;',
      superclass: 'Landroid/app/Activity;',
      methods: [method('onStart()V', takes)],
    }
    expect(judged(undefined, { classes: [base] }, { superclass: base.name }).level).toBe('middle')
    const helper = { name: 'Lorg/maker/app/Helper;', methods: [method('static read(Landroid/app/Activity;)V', takes)] }
    expect(judged(undefined, { classes: [helper] }).level).toBe('middle')
    const other = { ...base, name: 'Lorg/maker/app/Other;' }
    expect(judged(undefined, { classes: [other] }).level).toBe('low')
    expect(judged(undefined, {}, { methods: [method('onNewIntent(Landroid/content/Intent;)V')] }).level).toBe('middle')
  })

  test('keep their level where they act when they open, or answer who opened them', () => {
    const calls = (reference: string) => (body: Body) => void body.virtual(reference, null)
    for (const reference of [
      'Ljava/lang/Thread;->start()V',
      'Landroid/webkit/WebView;->loadUrl(Ljava/lang/String;)V',
      'Landroid/app/Activity;->setResult(ILandroid/content/Intent;)V',
    ])
      expect(judged(calls(reference)).level, reference).toBe('middle')
  })

  test('keep their level where a password guards screens, or their base is not known', () => {
    const form = { 'res/layout/a.xml': element('EditText', { inputType: 0x81 }) }
    expect(judged(undefined, { xml: form }).level).toBe('middle')
    expect(judged(undefined, {}, { superclass: 'Lorg/other/Screen;' }).level).toBe('middle')
    const preferences = { superclass: 'Landroid/preference/PreferenceActivity;' }
    expect(judged(undefined, {}, preferences).level).toBe('low')
    expect(judged(undefined, { targetSdk: 18 }, preferences).level).toBe('middle')
  })

  test('of a widget are low where they read its number alone', () => {
    const reads = (name: string) => (body: Body) =>
      void body.virtual(
        'Landroid/content/Intent;->getIntExtra(Ljava/lang/String;I)I',
        body.virtual(INTENT, null),
        name,
        0,
      )
    const { level, detail } = judged(reads('appWidgetId'), {}, {}, CONFIGURE)
    expect(level).toBe('low')
    expect(detail.en).toContain('; home screens have to open it to set up a widget')
    expect(detail.zh).toContain('；启动器须能打开小部件的配置界面')
    expect(judged(reads('folder'), {}, {}, CONFIGURE).level).toBe('middle')
    expect(judged(reads('appWidgetId')).level).toBe('middle')
  })
})
