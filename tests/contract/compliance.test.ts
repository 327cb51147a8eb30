import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createApplication } from '#contracts/http/applications.ts'
import { resultContent, resultPrivacy } from '#contracts/http/detection/result.ts'
import { createTasks } from '#contracts/http/detection/tasks.ts'
import {
  answerSelfCheck,
  exportSelfCheck,
  selfCheck,
  selfCheckHistory,
  selfChecks,
} from '#contracts/http/self-check/checks.ts'
import {
  deletePrivacyPolicy,
  POLICY_LENGTH,
  privacyPolicy,
  savePrivacyPolicy,
} from '#contracts/http/self-check/privacy-policy.ts'
import {
  changeWords,
  deleteWordGroup,
  exportWords,
  importWords,
  saveWordGroup,
  sensitiveWords,
  tryWords,
  WORD_LIMITS,
  wordGroups,
} from '#contracts/http/sensitive-words.ts'
import type { Job } from '#contracts/jobs.ts'
import { readWordFile } from '#server/modules/sensitive-words/read-word-file.ts'
import { activeWords } from '#server/modules/sensitive-words/word-groups.ts'
import { method } from '../support/code-body.ts'
import type { ConsoleClient } from '../support/console-client.ts'
import { apkBytes, element } from '../support/detect-package.ts'
import { type DetectionBed, detectionBed, ENGLISH, good } from '../support/detection-bed.ts'
import { exportedText } from '../support/exported.ts'

let bed: DetectionBed
let admin: ConsoleClient
let operator: ConsoleClient
let stranger: ConsoleClient
/** Detects, and edits no rules. */
let tester: ConsoleClient
beforeAll(async () => {
  bed = await detectionBed()
  admin = await bed.signIn('words', 'administrator')
  operator = await bed.signIn('checker', 'operator')
  tester = await bed.signIn('tester', 'safety_detect')
  stranger = await bed.signIn('elsewhere', 'operator')
})
afterAll(() => bed?.close())

describe('[DET-10] sensitive words', () => {
  test('built-in lists are there, can be switched off and changed, not deleted; own lists come and go', async () => {
    const before = await good(admin, wordGroups)
    const gambling = before.data.find(({ id }) => id === 'gambling')!
    expect(gambling).toMatchObject({ built_in: true, enabled: true, name: { zh: '涉赌', en: 'Gambling' } })
    expect(before.enabled).toBe(before.total)
    const off = await good(admin, saveWordGroup, {
      body: { id: 'gambling', name: 'x', enabled: false, rev: gambling.rev },
    })
    expect(off.data).toMatchObject({ enabled: false, name: { zh: '涉赌' }, rev: gambling.rev + 1 })
    expect((await good(admin, wordGroups)).enabled).toBe(before.total - gambling.words)
    expect((await activeWords(bed.http.meta)).map(({ group }) => group)).not.toContain('涉赌')
    const stale = await admin.call(saveWordGroup, { body: { id: 'gambling', name: 'x', rev: gambling.rev } }, ENGLISH)
    expect(stale.body['code']).toBe(500003)
    expect((await admin.call(deleteWordGroup, { body: { id: 'gambling' } }, ENGLISH)).body).toMatchObject({
      code: 500001,
    })
    await good(admin, saveWordGroup, { body: { id: 'gambling', name: 'x', enabled: true } })
    const own = await good(admin, saveWordGroup, { body: { name: '品牌词', note: '不可出现' } })
    const twice = await admin.call(saveWordGroup, { body: { name: '品牌词' } }, ENGLISH)
    expect(twice.body).toMatchObject({ code: 500001, codemsg: expect.stringContaining('品牌词') })
    await good(admin, deleteWordGroup, { body: { id: own.data.id } })
    expect((await good(admin, wordGroups)).data.map(({ id }) => id)).not.toContain(own.data.id)
  })

  test('words are added, named where they cannot be, found, removed', async () => {
    const { data } = await good(admin, saveWordGroup, { body: { name: '试验' } })
    const added = await good(admin, changeWords, {
      body: { group: data.id, add: ['水货手机', ' 水货手机 ', '一', '.. ..', 'x'.repeat(51), 'a\u0007b', '翻新机'] },
    })
    expect(added.added).toBe(2)
    expect(added.problems.map(({ line, reason }) => [line, reason])).toEqual([
      [3, 'short'],
      [4, 'short'],
      [5, 'long'],
      [6, 'characters'],
      [2, 'known'],
    ])
    const found = await good(admin, sensitiveWords, { query: { group: data.id, search: '手机' } })
    expect(found).toMatchObject({ total: 1, data: [{ word: '水货手机', by: 'words@example.com' }] })
    const hits = await good(tester, tryWords, { body: { text: '低价出售水-货手機，翻新机' } })
    expect(hits.data).toEqual([
      { group: { zh: '试验', en: '试验' }, word: '水货手机', form: 'separators', from: 4, to: 9 },
      { group: { zh: '试验', en: '试验' }, word: '翻新机', form: 'as_written', from: 10, to: 13 },
    ])
    const removed = await good(admin, changeWords, { body: { group: data.id, remove: ['水货手机'] } })
    expect(removed.removed).toBe(1)
  })

  test('a file is looked through before it is taken; its problems have lines; an export is what an import takes', async () => {
    const csv =
      '分组,敏感词\r\n新组,走私香烟\r\n新组,"带,逗号"\r\n新组\r\n新组,走私香烟\r\n"未闭合,词语\r\n涉毒,冰毒\r\n'
    const looked = await good(admin, importWords, { body: { format: 'csv', content: csv, dry: true } })
    expect(looked).toMatchObject({ added: 2, groups: ['新组'], lines: 6, problem_count: 4 })
    expect(looked.problems.map(({ line, reason }) => [line, reason])).toEqual([
      [4, 'columns'],
      [5, 'repeated'],
      [6, 'columns'],
      [7, 'known'],
    ])
    expect((await good(admin, wordGroups)).data.map(({ name }) => name.zh)).not.toContain('新组')
    expect((await good(admin, importWords, { body: { format: 'csv', content: csv } })).added).toBe(2)
    const made = (await good(admin, wordGroups)).data.find(({ name }) => name.zh === '新组')!
    expect(made.words).toBe(2)
    const text = await good(admin, importWords, {
      body: { format: 'txt', content: '\ufeff假烟\n\n走私香烟\n', group: made.id },
    })
    expect(text).toMatchObject({ added: 1, problems: [{ line: 3, reason: 'known' }] })
    const file = (await admin.call(exportWords, { query: { format: 'csv' } }, ENGLISH)).text
    expect(file).toContain('新组,"带,逗号"\r\n')
    const again = await good(admin, importWords, { body: { format: 'csv', content: file, dry: true } })
    expect(again).toMatchObject({ added: 0, groups: [] })
    expect(again.problems.every(({ reason }) => reason === 'known')).toBe(true)
    expect(again.lines).toBe((await good(admin, wordGroups)).total)
    const plain = (await admin.call(exportWords, { query: { group: made.id, format: 'txt' } }, ENGLISH)).text
    expect(plain.split('\r\n').filter(Boolean).sort()).toEqual(['假烟', '带,逗号', '走私香烟'].sort())
  })

  test('limits hold, and who may not edit rules changes nothing', async () => {
    const many = Array.from({ length: WORD_LIMITS.words }, (_, i) => `词${i}`).join('\n')
    const full = await admin.call(importWords, { body: { format: 'txt', content: many, group: 'fraud' } }, ENGLISH)
    expect(full.body['code']).toBe(500006)
    for (const endpoint of [wordGroups, sensitiveWords])
      expect((await tester.call(endpoint, {}, ENGLISH)).body['code']).toBe(500018)
    expect((await tester.call(changeWords, { body: { group: 'fraud', add: ['某词语'] } }, ENGLISH)).body['code']).toBe(
      500018,
    )
  })

  test('whatever a file holds, each line is a word or a problem', () => {
    for (const format of ['txt', 'csv'] as const)
      for (const content of [
        '',
        '\n\n',
        '"',
        '""""',
        'a,b,c',
        ',',
        '"a""b",词语',
        '"a"x,词语',
        `${'"'.repeat(100_000)}\n词语`,
      ]) {
        const file = readWordFile(content, format)
        expect(file.words.length + file.problems.length, JSON.stringify([format, content.slice(0, 20)])).toBe(
          file.lines,
        )
      }
  })
})

describe('what is asked besides package and strategy', () => {
  /** An application of the operator with one package that reads the device's number as it starts. */
  async function ownFile(name: string, files: Record<string, Buffer | string> = {}) {
    const made = await good(operator, createApplication, { body: { name, mimetype_list: [1] } })
    const appid = made.object_list[0]!.id
    const bytes = apkBytes({ ...COLLECTING, files })
    const fields = { application: Number(appid), owner: 1, kind: 'apk', packageName: 'org.maker.app' }
    return { appid, file: await bed.addFile(bytes, fields) }
  }
  const ask = async (file: string, kind: string) => {
    const { body } = await operator.call(createTasks, { body: { files: [file], kinds: [kind] } }, ENGLISH)
    const [task] = (body['data'] ?? []) as { id: string }[]
    if (!task) return body['key']
    expect(await bed.ended(operator, task.id)).toMatchObject({ state: 'detected' })
    return task
  }

  test('[DET-10] other words make the same question another one', async () => {
    const { file } = await ownFile('词', { 'assets/a.txt': '本店出售稀有词语样品' })
    const first = (await ask(file, 'content')) as { id: string }
    expect((await good(operator, resultContent, { query: { id: first.id } })).data).toEqual([])
    expect(await ask(file, 'content')).toBe('task.exists')
    const { data } = await good(admin, saveWordGroup, { body: { name: '新词' } })
    await good(admin, changeWords, { body: { group: data.id, add: ['稀有词语'] } })
    const again = (await ask(file, 'content')) as { id: string }
    expect((await good(operator, resultContent, { query: { id: again.id } })).data).toMatchObject([
      { value: '稀有词语', group: '新词' },
    ])
    // A list that is switched off is not looked for: that question was asked before.
    await good(admin, saveWordGroup, { body: { id: data.id, name: '新词', enabled: false } })
    expect(await ask(file, 'content')).toBe('task.exists')
    // Kinds that look for no words are not touched by them.
    await ask(file, 'static')
    await good(admin, deleteWordGroup, { body: { id: data.id } })
    expect(await ask(file, 'static')).toBe('task.exists')
  })

  test('[DET-09] the privacy policy that the application was given is compared with its code', async () => {
    const { appid, file } = await ownFile('政策')
    const verdict = async (task: unknown) => {
      const { data } = await good(operator, resultPrivacy, { query: { id: (task as { id: string }).id } })
      const { verdict: said, reason } = data.find(({ id }) => id === 'm3-3')!
      return [said, reason.zh]
    }
    expect(await verdict(await ask(file, 'privacy'))).toEqual(['not_assessed', expect.stringContaining('请上传')])
    const save = (content: string, more: object = {}) =>
      operator.call(savePrivacyPolicy, { body: { appid, content, ...more } }, ENGLISH)
    const text = (kinds: string) =>
      `隐私政策：我们收集您的${kinds}，用于登录。${'其他条款从略，请阅读全文。'.repeat(20)}`
    const html = `<!doctype html><html><style>设备识别码</style><body><p>${text('昵称')}</p></body></html>`
    expect((await save(html, { name: 'policy.html', rev: 0 })).body).toMatchObject({
      data: { rev: 1, name: 'policy.html' },
    })
    expect(await verdict(await ask(file, 'privacy'))).toEqual(['fail', expect.stringContaining('政策未写明')])
    expect(await ask(file, 'privacy')).toBe('task.exists')
    expect((await save(text('设备识别码'), { rev: 0 })).body).toMatchObject({ key: 'data.conflict' })
    expect((await save(text('设备识别码'), { rev: 1 })).body).toMatchObject({ data: { rev: 2, name: '' } })
    expect(await verdict(await ask(file, 'privacy'))).toEqual(['pass', expect.any(String)])
    expect((await good(operator, privacyPolicy, { query: { appid } })).data).toMatchObject({
      by: 'checker@example.com',
    })
    for (const body of [
      { content: '太短' },
      { content: 'x'.repeat(POLICY_LENGTH.most + 1) },
      { content: `${text('昵称')}\0` },
      { content: text('昵称'), name: 'policy.exe' },
    ])
      expect((await save('', body)).body).toMatchObject({ key: 'input.invalid' })
    await good(operator, deletePrivacyPolicy, { body: { appid } })
    expect((await good(operator, privacyPolicy, { query: { appid } })).data).toBeNull()
    expect(await ask(file, 'privacy')).toBe('task.exists')
  })
})

/** Asks for the device's number, with permission, as it starts. */
const COLLECTING = {
  application: { name: '.App' },
  others: [element('uses-permission', { name: 'android.permission.READ_PHONE_STATE' })],
  classes: [
    {
      name: 'Lorg/maker/app/App;',
      superclass: 'Landroid/app/Application;',
      methods: [
        method(
          'onCreate()V',
          (body) => void body.virtual('Landroid/telephony/TelephonyManager;->getDeviceId()Ljava/lang/String;', null),
        ),
      ],
    },
  ],
}

describe('[DET-09] self-check', () => {
  test('answers appear beside the newest privacy detection, with who and when; contradictions are reported', async () => {
    const made = await good(operator, createApplication, { body: { name: '自检应用', mimetype_list: [1] } })
    const appid = made.object_list[0]!.id
    const first = await good(operator, selfCheck, { query: { appid } })
    expect(first.data).toHaveLength(66)
    expect(first.basis).toBeNull()
    expect(first.counts).toMatchObject({ open: 66, conform: 0 })
    const answer = (item: string, value: 'yes' | 'no' | 'na' | null, note = '', rev?: number) =>
      operator.call(answerSelfCheck, { body: { appid, item, value, note, ...(rev !== undefined && { rev }) } }, ENGLISH)
    expect((await answer('m3-1', 'yes', '启动页之后', 0)).body).toMatchObject({
      code: 0,
      data: { conclusion: 'conform', answer: { value: 'yes', by: 'checker@example.com', rev: 1 } },
    })
    expect((await answer('m3-1', 'no', '', 0)).body['code']).toBe(500003)
    await answer('g-16', 'yes')
    expect((await good(operator, selfChecks)).data.find((one) => one.appid === appid)).toMatchObject({
      answered: 2,
      violating: 1,
      questions: 66,
      last_by: 'checker@example.com',
      basis: null,
    })

    const file = await bed.addFile(apkBytes(COLLECTING), {
      application: Number(appid),
      owner: 1,
      kind: 'apk',
      packageName: 'org.maker.app',
    })
    const { data: tasks } = await good(operator, createTasks, { body: { files: [file], kinds: ['privacy'] } })
    expect(await bed.ended(operator, tasks[0]!.id)).toMatchObject({ state: 'detected' })
    const { data: privacyResult } = await good(operator, resultPrivacy, { query: { id: tasks[0]!.id } })
    expect(privacyResult).not.toHaveLength(0)

    const joined = await good(operator, selfCheck, { query: { appid } })
    expect(joined.basis).toMatchObject({ id: tasks[0]!.id })
    const clause = (id: string) => joined.data.find((one) => one.id === id)!
    expect(clause('m3-1')).toMatchObject({ conclusion: 'conflict', machine: { verdict: 'fail', chains: 1 } })
    expect(clause('g-15')).toMatchObject({ conclusion: 'violate', answer: null, machine: { verdict: 'fail' } })
    expect(clause('g-16')).toMatchObject({
      conclusion: 'violate',
      answer: { value: 'yes' },
      machine: { verdict: 'pass' },
    })
    expect(clause('m5-2')).toMatchObject({ conclusion: 'open', machine: { verdict: 'manual' } })
    expect(Object.values(joined.counts).reduce((sum, one) => sum + one, 0)).toBe(66)

    expect((await answer('m3-1', null, '', 1)).body).toMatchObject({ data: { answer: null, conclusion: 'violate' } })
    const history = await good(operator, selfCheckHistory, { query: { appid, item: 'm3-1' } })
    expect(history.data.map(({ value, note, by }) => [value, note, by])).toEqual([
      [null, '', 'checker@example.com'],
      ['yes', '启动页之后', 'checker@example.com'],
    ])
    const sheet = { appid, title: 'self-check' }
    const { job } = (await operator.call(exportSelfCheck, { body: sheet }, ENGLISH)).body as { job: Job }
    const csv = await exportedText(bed.http, job.id)
    expect(csv.split('\r\n').filter(Boolean)).toHaveLength(1 + 66)
    expect(csv).toContain('Violates')

    const refused = await stranger.call(selfCheck, { query: { appid } }, ENGLISH)
    expect([refused.body['code'], refused.status]).not.toContain(0)
    expect(refused.text).not.toContain('checker@example.com')
    expect((await stranger.call(exportSelfCheck, { body: sheet }, ENGLISH)).body['code']).toBe(500002)
    expect(
      (await stranger.call(answerSelfCheck, { body: { appid, item: 'm3-1', value: 'no' } }, ENGLISH)).body['code'],
    ).toBe(500002)
    expect((await good(stranger, selfChecks)).data).toEqual([])
  })
})
