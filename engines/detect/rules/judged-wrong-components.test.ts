import { describe, expect, test } from 'vitest'
import { type Body, method } from '#tests/support/code-body.ts'
import { element, type MadePackage } from '#tests/support/detect-package.ts'
import { judgeOne } from '#tests/support/judge-item.ts'
import { code, MAIN, verdictOf } from '#tests/support/made-code.ts'

const STRING = 'Ljava/lang/String;'
const INTENT = 'Landroid/content/Intent;'

/** Kinds of findings that were read and judged wrong (docs/detection-judgements.tsv), each beside one that is right. */
describe('DET-03 findings about components and intents that were judged wrong', () => {
  test('an activity that a permission guards does not offer its task', () => {
    const exported = (more: object) => ({
      components: [element('activity', { name: '.Main', exported: true, launchMode: 2, ...more })],
    })
    expect(verdictOf('android-launch-mode-task-affinity', exported({}))).toBe('fail')
    expect(verdictOf('android-launch-mode-task-affinity', exported({ permission: 'org.maker.USE' }))).toBe('pass')
  })

  test('a value that is compared with null, or asked whether it is empty, is not used unchecked', () => {
    const INTENT = 'Landroid/content/Intent;'
    const started = (look: (body: Body, action: () => ReturnType<Body['parameter']>) => void) => ({
      components: [element('activity', { name: '.Main', exported: true })],
      classes: [
        {
          name: MAIN,
          superclass: 'Landroid/app/Activity;',
          methods: [
            method('onCreate(Landroid/os/Bundle;)V', (body) => {
              const action = () => {
                const intent = body.virtual(`${MAIN}->getIntent()${INTENT}`, body.parameter(0))
                return body.virtual(`${INTENT}->getAction()${STRING}`, intent)
              }
              look(body, action)
              body.virtual(`${STRING}->equalsIgnoreCase(${STRING})Z`, action(), 'go')
            }),
          ],
        },
      ],
    })
    const id = 'android-component-local-dos'
    expect(
      verdictOf(
        id,
        started(() => {}),
      ),
    ).toBe('fail')
    expect(
      verdictOf(
        id,
        started((body, action) => body.compareWithNull(action())),
      ),
    ).toBe('pass')
    const isEmpty = 'Landroid/text/TextUtils;->isEmpty(Ljava/lang/CharSequence;)Z'
    expect(
      verdictOf(
        id,
        started((body, action) => void body.static(isEmpty, action())),
      ),
    ).toBe('pass')
    // Another value of the same intent.
    const type = (body: Body) =>
      body.virtual(`${INTENT}->getType()${STRING}`, body.virtual(`${MAIN}->getIntent()${INTENT}`, body.parameter(0)))
    expect(
      verdictOf(
        id,
        started((body) => body.compareWithNull(type(body))),
      ),
    ).toBe('fail')
  })

  test('an intent that a local broadcast takes leaves no process', () => {
    const sent = (manager: string) =>
      code((body) => {
        const intent = body.make('Landroid/content/Intent;', '(Ljava/lang/String;)V', 'org.maker.GO')
        const put = `Landroid/content/Intent;->putExtra(${STRING}${STRING})Landroid/content/Intent;`
        body.virtual(put, intent, 'password', 'a')
        body.virtual(`${manager}->sendBroadcast(Landroid/content/Intent;)V`, null, intent)
      })
    const id = 'android-implicit-intent-sensitive'
    expect(verdictOf(id, sent('Landroidx/localbroadcastmanager/content/LocalBroadcastManager;'))).toBe('pass')
    expect(verdictOf(id, sent('Landroid/content/Context;'))).toBe('fail')
  })

  test('a pending intent that a method of the package hands to the alarm service alone is no more than one that goes there at once', () => {
    const OWN = `${MAIN}->stop(Landroid/app/PendingIntent;)V`
    const made = (taker: string): MadePackage => ({
      targetSdk: 26,
      classes: [
        {
          name: MAIN,
          superclass: 'Landroid/app/Activity;',
          methods: [
            method('work(Ljava/lang/String;)V', (body) => {
              const intent = body.make('Landroid/content/Intent;', '(Ljava/lang/String;)V', 'org.maker.TICK')
              const get =
                'Landroid/app/PendingIntent;->getBroadcast(Landroid/content/Context;ILandroid/content/Intent;I)Landroid/app/PendingIntent;'
              body.virtual(OWN, body.parameter(0), body.static(get, null, 0, intent, 0))
            }),
            method('stop(Landroid/app/PendingIntent;)V', (body) => void body.virtual(taker, null, body.parameter(1))),
          ],
        },
      ],
    })
    const level = (taker: string) => judgeOne('android-pending-intent-mutable', made(taker)).level
    expect(level('Landroid/app/AlarmManager;->cancel(Landroid/app/PendingIntent;)V')).toBe('low')
    expect(level('Lorg/other/Sender;->send(Landroid/app/PendingIntent;)V')).toBe('high')
  })

  test('a listener or a helper of a screen may ask others for the result that the screen gets', () => {
    const INTENT = 'Landroid/content/Intent;'
    const result = method(
      `onActivityResult(II${INTENT})V`,
      (body) => void body.virtual(`${INTENT}->getSerializableExtra(${STRING})Ljava/io/Serializable;`, null, 'a'),
    )
    const start = `Landroid/app/Activity;->startActivityForResult(${INTENT}I)V`
    const picks = (made: string) => (body: Body) =>
      void body.virtual(start, null, made === 'action' ? body.make(INTENT, `(${STRING})V`, 'a.PICK') : null, 1)
    const verdict = (name: string, made: string, flags = 'static ') =>
      verdictOf('android-component-local-dos', {
        components: [element('activity', { name: '.Main', exported: true })],
        classes: [
          {
            name: MAIN,
            superclass: 'Landroid/app/Activity;',
            methods: [result, method('open()V', (body) => void body.static(`${name}->ask()V`))],
          },
          { name, methods: [method(`${flags}ask()V`, picks(made))] },
        ],
      })
    expect(verdict('Lorg/maker/app/Main$1;', 'action')).toBe('fail')
    expect(verdict('Lcom/other/Scanner;', 'action')).toBe('fail')
    expect(verdict('Lcom/other/Scanner;', 'none')).toBe('pass')
  })

  test('what the services of Google alone may send, and a result of an activity of the package, is no input of strangers', () => {
    const INTENT = 'Landroid/content/Intent;'
    const reads = (name: string, more: MadePackage, ask?: (body: Body) => void): MadePackage => ({
      ...more,
      classes: [
        {
          name: MAIN,
          superclass: 'Landroid/app/Activity;',
          methods: [
            method(name, (body) => {
              ask?.(body)
              body.virtual(`${INTENT}->getSerializableExtra(${STRING})Ljava/io/Serializable;`, null, 'a')
            }),
          ],
        },
      ],
    })
    const id = 'android-component-local-dos'
    const receiver = (permission: string) => ({
      components: [element('receiver', { name: '.Main', exported: true, permission })],
    })
    const receive = `onReceive(Landroid/content/Context;${INTENT})V`
    expect(verdictOf(id, reads(receive, receiver('com.google.android.c2dm.permission.SEND')))).toBe('pass')
    expect(verdictOf(id, reads(receive, receiver('org.other.SEND')))).toBe('fail')
    const activity = { components: [element('activity', { name: '.Main', exported: true })] }
    const result = `onActivityResult(II${INTENT})V`
    expect(verdictOf(id, reads(result, activity))).toBe('pass')
    const pick = (body: Body) => void body.make(INTENT, `(${STRING})V`, 'android.intent.action.PICK')
    // Who answers was picked by the person.
    expect(judgeOne(id, reads(result, activity, pick)).level).toBe('low')
    expect(judgeOne(id, reads(receive, receiver('org.other.SEND'))).level).toBe('middle')
  })

  test('an intent that another method gives a target is explicit', () => {
    const TAKER = `${MAIN}->prepare(${INTENT})V`
    const level = (step: string) =>
      judgeOne('android-pending-intent-mutable', {
        targetSdk: 26,
        classes: [
          {
            name: MAIN,
            superclass: 'Landroid/app/Activity;',
            methods: [
              method('onResume()V', (body) => {
                const intent = body.make(INTENT, `(${STRING})V`, 'org.maker.OPEN')
                body.virtual(TAKER, body.parameter(0), intent)
                body.static(
                  `Landroid/app/PendingIntent;->getActivity(Landroid/content/Context;I${INTENT}I)Landroid/app/PendingIntent;`,
                  null,
                  0,
                  intent,
                  0,
                )
              }),
              method(`prepare(${INTENT})V`, (body) => void body.virtual(step, body.parameter(1), null, null)),
            ],
          },
        ],
      }).verdict
    expect(level(`${INTENT}->setClass(Landroid/content/Context;Ljava/lang/Class;)${INTENT}`)).toBe('pass')
    expect(level(`${INTENT}->putExtra(${STRING}${STRING})${INTENT}`)).toBe('fail')
  })

  test("a pending intent for Google's own services, by which they know the caller, is low", () => {
    const level = (target: string) =>
      judgeOne('android-pending-intent-mutable', {
        targetSdk: 26,
        ...code((body) => {
          const empty = body.make(INTENT)
          const get = `Landroid/app/PendingIntent;->getBroadcast(Landroid/content/Context;I${INTENT}I)Landroid/app/PendingIntent;`
          const pending = body.static(get, null, 0, empty, 0)
          const intent = body.make(INTENT, `(${STRING})V`, 'com.google.android.c2dm.intent.REGISTER')
          body.virtual(`${INTENT}->setPackage(${STRING})${INTENT}`, intent, target)
          body.virtual(`${INTENT}->putExtra(${STRING}Landroid/os/Parcelable;)${INTENT}`, intent, 'app', pending)
        }),
      }).level
    expect(level('com.google.android.gsf')).toBe('low')
    expect(level('org.other')).toBe('high')
  })
})
