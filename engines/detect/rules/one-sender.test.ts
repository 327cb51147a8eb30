import { expect, test } from 'vitest'
import { type Argument, method } from '#tests/support/code-body.ts'
import { element } from '#tests/support/detect-package.ts'
import { judgeOne } from '#tests/support/judge-item.ts'

test('[DET-03] messages of one fixed sender are less than all messages', () => {
  const level = (condition: Argument) => {
    const { level, findings } = judgeOne('android-privacy-sms', {
      others: ['READ_SMS', 'INTERNET'].map((name) =>
        element('uses-permission', { name: `android.permission.${name}` }),
      ),
      classes: [
        {
          name: 'Lorg/maker/app/Main;',
          methods: [
            method('work()V', (body) => {
              const address = body.static(
                'Landroid/net/Uri;->parse(Ljava/lang/String;)Landroid/net/Uri;',
                'content://sms/inbox',
              )
              body.virtual(
                'Landroid/content/ContentResolver;->query(Landroid/net/Uri;[Ljava/lang/String;Ljava/lang/String;[Ljava/lang/String;Ljava/lang/String;)Landroid/database/Cursor;',
                null,
                address,
                null,
                condition,
              )
            }),
          ],
        },
      ],
    })
    return [level, findings[0]!.detail.en.includes('; only messages of one fixed sender are asked for')]
  }
  for (const one of ["address='40147'", "read = 0 AND address = '40147'", 'address=40147'])
    expect(level(one), one).toEqual(['middle', true])
  for (const one of [null, 'read = 0', "address='1' or address='2'", "not address='1'", "address='%'", 'address=?'])
    expect(level(one), String(one)).toEqual(['high', false])
})
