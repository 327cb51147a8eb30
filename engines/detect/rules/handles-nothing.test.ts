import { describe, expect, test } from 'vitest'
import { type Body, method } from '#tests/support/code-body.ts'
import { element, type MadePackage } from '#tests/support/detect-package.ts'
import { judgeOne } from '#tests/support/judge-item.ts'

describe('[DET-03] missing protections where code may send', () => {
  const CONNECTION = 'Ljava/net/URL;->openConnection()Ljava/net/URLConnection;'
  const PAGE = 'Landroid/webkit/WebView;->loadUrl(Ljava/lang/String;)V'
  const made = (write: (body: Body) => void = () => {}, more: MadePackage = {}): MadePackage => ({
    components: [element('activity', { name: '.Main' })],
    others: [element('uses-permission', { name: 'android.permission.INTERNET' })],
    ...more,
    classes: [
      {
        name: 'Lorg/maker/app/Main;',
        methods: [
          method('work()V', (body) => {
            body.virtual(CONNECTION, null)
            write(body)
            for (let n = 0; n < 2000; n++) body.static('Lorg/maker/app/Main;->go()V')
          }),
        ],
      },
      { name: 'Lorg/maker/app/Ledger;', methods: [method('work()V')] },
    ],
  })
  const says = (text: string) => (body: Body) =>
    void body.static('Lorg/maker/app/Main;->say(Ljava/lang/String;)V', text)
  const opens = (address: string) => (body: Body) => void body.virtual(PAGE, null, address)
  const level = (id: string, ...parts: Parameters<typeof made>) => judgeOne(`android-${id}`, made(...parts)).level

  test('a packer and a check of the signature matter little for code that handles nothing of worth', () => {
    for (const id of ['no-packer', 'no-signature-check']) {
      const { level: found, findings } = judgeOne(`android-${id}`, made())
      expect(found).toBe('low')
      expect(findings[0]!.detail.en).toMatch(
        /; no code that handles an account, password, payment, keys or personal data was seen$/,
      )
      expect(findings[0]!.detail.zh).toContain('；未见代码处理账号、密码、支付、密钥或个人信息')
      for (const text of ['Login failed', 'access_token', '密码错误'])
        expect(level(id, says(text)), text).toBe('middle')
      const listens = { kind: 'BIND_NOTIFICATION_LISTENER_SERVICE' }
      const service = element('service', { name: '.Main', permission: `android.permission.${listens.kind}` })
      expect(level(id, undefined, { components: [service] })).toBe('middle')
      const files = ['INTERNET', 'MANAGE_EXTERNAL_STORAGE'].map((name) =>
        element('uses-permission', { name: `android.permission.${name}` }),
      )
      expect(level(id, undefined, { others: files })).toBe('middle')
      // What it loads while it runs may be worth more.
      expect(level(id, (body) => void body.make('Ldalvik/system/DexClassLoader;'))).toBe('middle')
      const form = element('EditText', { inputType: 0x21 })
      expect(level(id, undefined, { xml: { 'res/layout/a.xml': form } })).toBe('middle')
    }
  })

  test('a page may ask for an account: a copy of the package could take it, but its code hides nothing of it', () => {
    const signsIn = opens('https://a.example.org/login')
    expect([level('no-packer', signsIn), level('no-signature-check', signsIn)]).toEqual(['low', 'middle'])
    expect(level('no-packer', says('login'))).toBe('middle')
  })

  test('names that stay readable matter little in a build to debug', () => {
    expect(level('no-obfuscation')).toBe('middle')
    const { level: found, findings } = judgeOne('android-no-obfuscation', {
      ...made(),
      application: { debuggable: true },
    })
    expect(found).toBe('low')
    expect(findings[0]!.detail.en).toContain('; the package is a build to debug, and no account')
    expect(findings[0]!.detail.zh).toContain('；该包为调试构建')
  })
})
