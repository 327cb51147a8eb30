import { expect, test } from 'vitest'
import { type Body, method } from '#tests/support/code-body.ts'
import { judgeOne } from '#tests/support/judge-item.ts'

const VERIFIER = 'Ljavax/net/ssl/HostnameVerifier;'
const SIGNATURE = 'verify(Ljava/lang/String;Ljavax/net/ssl/SSLSession;)Z'
const NAMES = 'Lorg/maker/app/Names;'

const judged = (verify: (body: Body) => void) => {
  const { verdict, level, findings } = judgeOne('android-hostname-verifier-allow-all', {
    classes: [
      {
        name: NAMES,
        interfaces: [VERIFIER],
        methods: [method('<init>()V'), method(SIGNATURE, verify)],
      },
      { name: 'Lorg/maker/app/Main;', methods: [method('connect()V', (body) => void body.make(NAMES))] },
    ],
  })
  return verdict === 'fail' ? `${level}: ${findings[0]!.detail.en}` : verdict
}
const ask = (body: Body, name: string | number) =>
  body.interface(
    `${VERIFIER}->${SIGNATURE}`,
    body.static(`Ljavax/net/ssl/HttpsURLConnection;->getDefaultHostnameVerifier()${VERIFIER}`),
    typeof name === 'string' ? name : body.parameter(name),
    body.parameter(2),
  )
const equals = (body: Body) =>
  body.virtual('Ljava/lang/String;->equals(Ljava/lang/Object;)Z', body.parameter(1), 'a.org')

test('DET-03 a verifier that asks the default one about a constant name is a finding', () => {
  const found = judged((body) => body.result(ask(body, 'maker.org'), 'Z'))
  expect(found).toContain('middle: verify compares with the constant "maker.org"')
  // The answer may be used as a condition.
  const asked = judged((body) => {
    ask(body, 'maker.org')
    body.result(body.static('Lorg/maker/app/Main;->isOpen()Z'), 'Z')
  })
  expect(asked).toContain('"maker.org"')
  const looks = judged((body) => {
    equals(body)
    body.result(ask(body, 'maker.org'), 'Z')
  })
  expect(looks).toContain('"maker.org"')
})

test('DET-03 a verifier that hands on the name that it got, or compares it itself, is no finding', () => {
  expect(judged((body) => body.result(ask(body, 1), 'Z'))).toBe('pass')
  const compares = judged((body) => {
    ask(body, 'maker.org')
    body.result(equals(body), 'Z')
  })
  expect(compares).toBe('pass')
  const either = judged((body) => {
    ask(body, 'maker.org')
    body.result(ask(body, 1), 'Z')
  })
  expect(either).toBe('pass')
})
