import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'

/**
 * One word for one thing in both languages of the interface, as docs/GLOSSARY.md says: which words are not used, and which English
 * word belongs to which Chinese one. Literals and titles of docs/requirements.md are exceptions, named here.
 */
const ROOT = join(import.meta.dirname, '../..')

type Text = { file: string; key: string; zh: string; en: string }

/** Every `key: { zh: '…', en: '…' }` of the folder. */
function textsOf(...folders: string[]): Text[] {
  const found: Text[] = []
  for (const folder of folders)
    for (const name of readdirSync(join(ROOT, folder), { recursive: true }) as string[]) {
      if (!/\.tsx?$/.test(name) || /\.test\.|generated/.test(name)) continue
      const source = readFileSync(join(ROOT, folder, name), 'utf8')
      for (const match of source.matchAll(
        /(?:(\w+|'[\w.]+'): )?\{[^{}'"]*?\bzh: ('(?:[^'\\]|\\.)*'|"[^"]*"|`[^`]*`),\s*en: ('(?:[^'\\]|\\.)*'|"[^"]*"|`[^`]*`)/g,
      ))
        found.push({
          file: `${folder}/${name}`,
          key: match[1] ?? '',
          zh: (match[2] as string).slice(1, -1),
          en: (match[3] as string).slice(1, -1),
        })
    }
  return found
}
const texts = textsOf('src', 'contracts', 'domain')

/** Chinese word, what is not written for it, and the English beside it. */
const PAIRS: readonly { zh: string; instead: RegExp; en: RegExp | null; except?: RegExp }[] = [
  { zh: '阈值', instead: /界限|门限|阀值/, en: /threshold/i },
  { zh: '受攻击', instead: /被攻击/, en: /attack/i },
  { zh: '置信度', instead: /把握/, en: /confidence/i },
  { zh: '告警', instead: /报警|警报/, en: /alert|firing/i },
  { zh: '登录', instead: /登陆/, en: null },
  { zh: '账号', instead: /帐号|帐户/, en: null },
  { zh: '案件', instead: /案子|案例/, en: /case/i },
  { zh: '站点', instead: /节点位置/, en: /site/i },
  { zh: '基线', instead: /基准线/, en: /baseline/i },
  { zh: '门禁', instead: /闸门|关卡/, en: /gate|release/i },
  { zh: '隔离区', instead: /隔离箱/, en: /quarantine/i },
  { zh: '等级', instead: /级别/, en: null },
]
/** English that is not written, and the word for it. */
const ENGLISH: readonly { not: RegExp; instead: string }[] = [
  { not: /\bnot acknowledged\b/i, instead: 'unacknowledged' },
  { not: /\bshown name\b/i, instead: 'display name' },
  { not: /\blog ?in\b(?! )/i, instead: 'sign in (Log in is the title of the page alone)' },
  { not: /^Empty: /, instead: 'Leave empty to …' },
  { not: /\bnewest window\b/i, instead: 'latest window' },
]
/** Titles and messages that docs/requirements.md demands to the letter. */
const LITERAL_EN = /^(Log in|Login.*|Please log in.*|Logged? .*|Log off)$/i

describe('one word for one thing in the interface', () => {
  test('there are texts to read, and each has both languages', () => {
    expect(texts.length).toBeGreaterThan(4000)
    expect(
      texts.filter(({ zh, en }) => zh.trim() === '' && en.trim() !== '').map(({ file, key }) => `${file} ${key}`),
    ).toEqual([])
  })

  for (const { zh, instead, en, except } of PAIRS)
    test(`${zh}: no other word is written for it${en ? `, and the English beside it says ${en.source}` : ''}`, () => {
      const wrong = texts.filter((one) => instead.test(one.zh))
      const unlike =
        en === null ? [] : texts.filter((one) => one.zh.includes(zh) && !en.test(one.en) && !except?.test(one.zh))
      expect(
        [...wrong, ...unlike].map(({ file, key, zh: text, en: english }) => `${file} ${key}: ${text} / ${english}`),
      ).toEqual([])
    })

  test('English words of the glossary', () => {
    const wrong = texts.flatMap(({ file, key, en }) =>
      ENGLISH.filter(({ not }) => not.test(en) && !LITERAL_EN.test(en)).map(
        ({ instead }) => `${file} ${key}: ${en} (${instead})`,
      ),
    )
    expect(wrong).toEqual([])
  })

  test('the levels of the library keep their words', () => {
    const source = readFileSync(join(ROOT, 'contracts/http/vulnerabilities.ts'), 'utf8')
    for (const words of [
      "zh: '超危', en: 'Super danger'",
      "zh: '高危', en: 'High'",
      "zh: '中危', en: 'Middle'",
      "zh: '低危', en: 'Low'",
    ])
      expect(source).toContain(words)
  })
})
