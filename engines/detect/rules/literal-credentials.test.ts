import { describe, expect, test } from 'vitest'
import { type Body, method } from '#tests/support/code-body.ts'
import { judgeOne } from '#tests/support/judge-item.ts'
import { isCredentialName } from './credential-names.ts'

const ITEM = 'android-secret-generic-secret'
const PUT = 'Ljava/util/HashMap;->put(Ljava/lang/Object;Ljava/lang/Object;)Ljava/lang/Object;'
const CONFIG = 'Lorg/maker/app/Configuration;'
const putting = (name: string, key: string, value: string) => ({
  classes: [
    {
      name: 'Lorg/maker/app/Util;',
      methods: [
        method(`${name}()V`, (body: Body) => void body.virtual(PUT, body.make('Ljava/util/HashMap;'), key, value)),
      ],
    },
  ],
})
const holding = (field: string, value: string) => ({
  classes: [{ name: CONFIG, staticFields: [{ name: `${field}:Ljava/lang/String;`, flags: 0x19, value }] }],
})
const verdict = (made: Parameters<typeof judgeOne>[1]) => judgeOne(ITEM, made).verdict

describe('[DET-05] credentials that own code writes as texts', () => {
  test('a map that a method named after credentials fills, or whose key is named so, holds one', () => {
    const found = judgeOne(ITEM, putting('getUserCreds', 'shopuser', '!ns3csh0p'))
    expect(found).toMatchObject({ verdict: 'fail', findings: [{ evidence: { class: 'org.maker.app.Util' } }] })
    expect(JSON.stringify(found)).not.toContain('!ns3csh0p')
    expect(verdict(putting('fill', 'db_password', 'k7#Trustno1'))).toBe('fail')
    expect(verdict(putting('fill', 'color', 'k7#Trustno1'))).toBe('pass')
    expect(verdict(putting('getUserCreds', 'shopuser', 'displayName'))).toBe('pass')
  })

  test('a field named after a credential that holds one is found, keys and labels with that name are not', () => {
    expect(verdict(holding('apiKey', 'a8f2k19dKQz0'))).toBe('fail')
    expect(verdict(holding('PASSWORD', 'password'))).toBe('pass')
    expect(verdict(holding('KEY_PASSWORD', 'user.password'))).toBe('pass')
    expect(verdict(holding('PASSWORD', 'server:ks:password'))).toBe('pass')
    expect(verdict(holding('password', 'https://maker.org/reset1'))).toBe('pass')
    expect(verdict(holding('colour', 'a8f2k19dKQz0'))).toBe('pass')
  })

  test('a label in another script, and a key that an item of its own reports, are no further findings', () => {
    expect(verdict(holding('password', '密码（如果有）：'))).toBe('pass')
    expect(verdict(holding('apiKey', 'AIzaSyD3kQ9vT1xW7bN5mL2pR8cJ4hF6gZ0aEuY'))).toBe('pass')
  })

  test('a variable that begins as one long word is a pass phrase', () => {
    const variable = {
      classes: [
        {
          name: CONFIG,
          staticFields: [{ name: 'password:Ljava/lang/String;', flags: 0x09 }],
          methods: [
            method('static <clinit>()V', (body: Body) =>
              body.put(`${CONFIG}->password:Ljava/lang/String;`, 'verycomplicatedpassword'),
            ),
          ],
        },
      ],
    }
    expect(verdict(variable)).toBe('fail')
  })

  test.each(['password', 'userPassword', 'aws_secret_key', 'API_KEY', 'accessToken'])(
    'the name %s denotes a credential',
    (name) => {
      expect(isCredentialName(name)).toBe(true)
    },
  )
  test.each(['password_hint', 'keyboard', 'tokenizer', 'passwordLength', 'KEY_PASSWORD', 'bypass'])(
    'the name %s does not denote a credential',
    (name) => {
      expect(isCredentialName(name)).toBe(false)
    },
  )
})
