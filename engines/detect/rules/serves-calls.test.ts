import { expect, test } from 'vitest'
import { type Body, method } from '#tests/support/code-body.ts'
import { element, type MadePackage } from '#tests/support/detect-package.ts'
import { judgeOne } from '#tests/support/judge-item.ts'

const DIAL = 'android.intent.action.DIAL'

test('[DET-03] contacts and calls count little in an application to dial with whose code sends nothing', () => {
  const judged = (
    item: string,
    address: string,
    { action = DIAL, write = () => {}, ...more }: MadePackage & { action?: string; write?: (body: Body) => void } = {},
  ) =>
    judgeOne(`android-privacy-${item}`, {
      others: ['READ_CONTACTS', 'READ_CALL_LOG', 'INTERNET'].map((name) =>
        element('uses-permission', { name: `android.permission.${name}` }),
      ),
      components: [
        element('activity', { name: '.Main' }, element('intent-filter', {}, element('action', { name: action }))),
      ],
      classes: [
        {
          name: 'Lorg/maker/app/List;',
          methods: [
            method('work()V', (body) => {
              const parsed = body.static('Landroid/net/Uri;->parse(Ljava/lang/String;)Landroid/net/Uri;', address)
              body.virtual(
                'Landroid/content/ContentResolver;->query(Landroid/net/Uri;[Ljava/lang/String;Ljava/lang/String;[Ljava/lang/String;Ljava/lang/String;)Landroid/database/Cursor;',
                null,
                parsed,
              )
              write(body)
            }),
          ],
        },
      ],
      ...more,
    })
  for (const [item, address] of [
    ['contacts', 'content://com.android.contacts/data'],
    ['call-log', 'content://call_log/calls'],
  ] as const) {
    const { level, findings } = judged(item, address)
    expect(level).toBe('low')
    expect(findings[0]!.detail.en).toMatch(
      /; the application dials, Android asks the person first, and own code sends nothing$/,
    )
    expect(findings[0]!.detail.zh).toContain('；应用提供拨号功能')
    expect(judged(item, address, { action: 'org.maker.OPEN' }).level).toBe('high')
    expect(judged(item, address, { targetSdk: 22 }).level).toBe('high')
    const sends = (body: Body) => void body.virtual('Ljava/net/URL;->openConnection()Ljava/net/URLConnection;', null)
    expect(judged(item, address, { write: sends }).level).toBe('high')
  }
})
