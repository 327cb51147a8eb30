import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { method } from '#tests/support/code-body.ts'
import { element, makePackage } from '#tests/support/detect-package.ts'
import { SCAN_CHOICES } from '../input/scan-choices.ts'
import { scan } from '../scan.ts'
import { checkRule, testRule } from '../try-own-rule.ts'
import { linearPattern, PatternError } from './linear-pattern.ts'
import { parseRule } from './parse-rule.ts'
import { RuleSyntaxError } from './rule-syntax.ts'

describe('patterns in linear time', () => {
  const PATTERNS = [
    'a*b',
    '^ab?c$',
    '(?:ab|cd)+e',
    '[a-c]{2,3}',
    '[^x]y',
    '\\d+\\.\\d+',
    '\\bab\\b',
    'a|',
    '.\\w\\s',
    '(a(b(c)?)?)d',
    '[\\w.-]+@x',
    '[\\u0061-c]\\x40',
  ]
  test('they find what JavaScript finds', () => {
    const text = fc.string({ unit: fc.constantFrom(...'abcdexy01. @-_'), maxLength: 12 })
    fc.assert(
      fc.property(fc.constantFrom(...PATTERNS), fc.boolean(), text, (source, ignoreCase, subject) => {
        const upper = ignoreCase ? subject.toUpperCase() : subject
        expect(linearPattern(source, ignoreCase).test(upper)).toBe(
          new RegExp(source, ignoreCase ? 'i' : '').test(upper),
        )
      }),
      { numRuns: 400 },
    )
  })

  test('what ruins others takes no time', () => {
    const begin = performance.now()
    expect(linearPattern('^(a+)+$').test(`${'a'.repeat(16_000)}!`)).toBe(false)
    expect(linearPattern('(?:a?){30}a{30}').test('a'.repeat(30))).toBe(true)
    expect(linearPattern('(?:a.{0,99}b){9}[0-9]').test('aab'.repeat(5000))).toBe(false)
    expect(performance.now() - begin).toBeLessThan(5000)
  })

  test.each([
    '(',
    'a)',
    '[a',
    '(?=a)',
    '\\1',
    'a**',
    '*',
    'a{1,1001}',
    '[z-a]',
    '(?:[ab]{0,10}){200}',
    '((((a{99}){99}){99}){99})',
  ])('the pattern %s is refused because it is invalid or not linear', (source) => {
    expect(() => linearPattern(source)).toThrow(PatternError)
  })

  test('any pattern is read or refused with a PatternError', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom(...'ab(){}[]|*+?.^$\\d-,1'), maxLength: 30 }), (source) => {
        try {
          linearPattern(source).test('abab')
        } catch (error) {
          expect(error).toBeInstanceOf(PatternError)
        }
      }),
      { numRuns: 500 },
    )
  })
})

const made = makePackage({
  targetSdk: 28,
  others: [element('uses-permission', { name: 'android.permission.CAMERA' })],
  components: [element('activity', { name: '.Main', exported: true })],
  classes: [
    {
      name: 'Lorg/maker/app/Main;',
      superclass: 'Landroid/app/Activity;',
      methods: [
        method(
          'run()V',
          (body) =>
            void body.static('Ljavax/crypto/Cipher;->getInstance(Ljava/lang/String;)Ljavax/crypto/Cipher;', 'DES'),
        ),
      ],
    },
  ],
})

describe('own rules', () => {
  test.each([
    ['call("Ljavax/crypto/Cipher;->getInstance(")', true],
    ['call("Ljavax/crypto/Cipher;->getInstance(", 1, "DES")', true],
    ['call("Ljavax/crypto/Cipher;->getInstance(", 1, /^AES/)', false],
    ['ownCall("Ljavax/crypto/Cipher;->getInstance(") && targetSdk < 30', true],
    ['targetSdk >= 30 || exported("activity", /Main$/)', true],
    ['!permission("android.permission.CAMERA")', false],
    ['permission(/CAMERA$/) && !(string("AES") || sdk("gson"))', true],
    ['extends("Landroid/app/Activity;") && class(/maker/)', true],
    ['string(/^des$/i)', true],
    ['entry("classes.dex") && !native(/so$/)', true],
  ])('the rule %s is evaluated on a package', (expression, holds) => {
    expect(testRule(expression, made)).toMatchObject({ kind: 'answer', holds })
  })

  test('what speaks for it is shown with its location', () => {
    const trial = testRule('call("Ljavax/crypto/Cipher;->getInstance(")', made)
    expect(trial).toMatchObject({
      hits: 1,
      findings: [{ evidence: { class: 'org.maker.app.Main', method: 'run()V' } }],
    })
  })

  test.each([
    ['', 0],
    ['call(', 5],
    ['call()', 5],
    ['nothing("x")', 0],
    ['permission("a") &&', 18],
    ['permission("a") permission("b")', 16],
    ['permission("a', 11],
    ['string(/(a/)', 8],
    ['targetSdk = 3', 10],
    ['call("a", 1)', 11],
  ])('the rule %j is wrong at position %i', (expression, position) => {
    expect(checkRule(expression)).toMatchObject({ kind: 'error', position })
  })

  test('any text is read or refused with a position in it', () => {
    const word = fc.constantFrom(
      'call',
      'string',
      'targetSdk',
      '(',
      ')',
      '!',
      '&&',
      '||',
      '"a"',
      '/a/',
      ',',
      '<',
      '3',
      ' ',
    )
    fc.assert(
      fc.property(fc.array(word, { maxLength: 20 }), (words) => {
        const source = words.join('')
        try {
          parseRule(source)
        } catch (error) {
          expect(error).toBeInstanceOf(RuleSyntaxError)
          expect((error as RuleSyntaxError).position).toBeLessThanOrEqual(source.length)
        }
      }),
      { numRuns: 500 },
    )
    expect(checkRule('!'.repeat(5000))).not.toBeNull()
    expect(checkRule('('.repeat(100))).not.toBeNull()
  })

  test('they are items of a scan, which stays the same each time', () => {
    const name = { zh: '规则', en: 'rule' }
    const own = { id: 'own-des', name, level: 'high' as const, expression: 'string("DES")', threat: name, advice: name }
    const choices = { ...SCAN_CHOICES, ownRules: [own, { ...own, id: 'own-broken', expression: 'string(' }] }
    const result = scan(made, choices)
    expect(result.items.slice(-2)).toMatchObject([
      { id: 'own-des', verdict: 'fail', level: 'high' },
      { id: 'own-broken', verdict: 'not_assessed' },
    ])
    expect(JSON.stringify(scan(made, choices))).toBe(JSON.stringify(result))
  })
})
