import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { inflateSync } from 'node:zlib'
import { expect, test } from 'vitest'
import type { Block, FrontPage, ReportDocument } from '#engines/report/document.ts'
import { entryBytes } from '#engines/zip/entry-bytes.ts'
import { readZip } from '#engines/zip/read-zip.ts'
import { writeReport } from './write-report.ts'

const never = new AbortController().signal

function documentOf(blocks: readonly Block[]): ReportDocument {
  return {
    language: 'zh',
    title: '移动应用安全检测报告',
    subject: '示例应用 3.2.1',
    issuer: 'AppWarden',
    footer: '内部资料',
    made: Date.UTC(2026, 10, 21),
    logo: null,
    cover: [{ label: '应用名称', text: '示例应用' }],
    blocks,
  }
}

/** The report of a large scan: 60 pages and more. */
function longReport(): ReportDocument {
  const items = Array.from({ length: 280 }, (_, at): Block[] => [
    { kind: 'heading', level: 2, text: `检测项 ${at}：明文传输风险` },
    { kind: 'labelled', label: '威胁', text: '攻击者可在同一网络内读取和修改通信内容，包括口令与个人信息。'.repeat(3) },
    { kind: 'labelled', label: '修复建议', text: '全部接口改用 TLS，并校验证书与主机名。'.repeat(3) },
    {
      kind: 'evidence',
      location: `com.example.app.net.HttpClient${at}.connect:42 (classes.dex +0x1f3a)`,
      note: '调用明文地址',
      lines: [
        '0012: const-string v1, "http://api.example.com/v1"',
        '0016: invoke-virtual {v0, v1}, Ljava/net/URL;-><init>(Ljava/lang/String;)V',
      ],
    },
  ])
  return documentOf([{ kind: 'heading', level: 1, text: '风险项详情' }, ...items.flat()])
}

test('[DET-04] a PDF has selectable text, bookmarks and embedded fonts; 60 pages are a matter of seconds', async () => {
  const bytes = Buffer.from(await writeReport({ format: 'pdf', document: longReport() }, never))
  const text = bytes.toString('latin1')
  expect(text.startsWith('%PDF-1.7')).toBe(true)
  const objects = text + inflated(bytes)
  expect(Math.max(...[...objects.matchAll(/\/Count (\d+)/g)].map(([, n]) => Number(n)))).toBeGreaterThan(60)
  // Bookmarks: the catalogue names them, and each heading is one.
  expect(objects).toContain('/Outlines')
  const utf16 = (text: string) => Buffer.from(text, 'utf16le').swap16().toString('hex').toUpperCase()
  expect(objects).toContain(`${utf16('检测项 279：明文传输风险')}>`)
  // Text: every character on a page has its code in a map beside the embedded font.
  expect(objects).toMatch(/\/FontFile[23]/)
  const codes = new Set(
    [...objects.matchAll(/^<[0-9A-F]{4}> <([0-9A-F]{4})>$/gm)].map(([, code]) => Number.parseInt(code as string, 16)),
  )
  for (const character of '威胁攻击者可在同一网络内读取和修改通信内容明文地址')
    expect(codes, character).toContain(character.charCodeAt(0))
})

test('[DET-04] a DOCX holds the same blocks; hostile texts stay texts', async () => {
  const hostile = 'a<b>&"c"</w:t>\u0000\u202e ]]> #import "x": *'
  const document = documentOf([
    { kind: 'heading', level: 1, text: `检测概览 ${hostile}` },
    { kind: 'verdict', label: '结论', text: '不可发布', tone: 'bad' },
    { kind: 'facts', rows: [{ label: '包名', text: hostile }] },
    {
      kind: 'table',
      columns: [
        { title: '项', share: 2 },
        { title: '处数', share: 1, align: 'right' },
      ],
      rows: [[hostile, { text: '高危', tone: 'high' }]],
    },
    {
      kind: 'chart',
      svg: '<svg xmlns="http://www.w3.org/2000/svg" width="20" height="10"><rect width="20" height="10"/></svg>',
      alt: '图',
      width: 20,
      height: 10,
    },
    { kind: 'evidence', location: hostile, note: '', lines: [hostile] },
  ])
  const [docx, pdf] = await Promise.all([
    writeReport({ format: 'docx', document }, never),
    writeReport({ format: 'pdf', document }, never),
  ])
  expect(Buffer.from(pdf).toString('latin1', 0, 8)).toBe('%PDF-1.7')
  const zip = readZip(docx)
  const part = zip.byName.get('word/document.xml')
  if (!part) throw new Error('no document')
  const xml = Buffer.from(entryBytes(zip, part)).toString('utf8')
  for (const shown of ['检测概览', '不可发布', '包名', '高危']) expect(xml).toContain(shown)
  expect(xml).toContain('a&lt;b&gt;&amp;')
  for (const gone of ['\u0000', '\u202e']) expect(xml).not.toContain(gone)
  expect([...zip.byName.keys()].some((name) => /^word\/media\/.*\.png$/.test(name))).toBe(true)
})

const tools = [spawnSync('soffice', ['--version']), spawnSync('pdftotext', ['-v'])]

test.skipIf(tools.some(({ status }) => status !== 0))(
  '[DET-04] LibreOffice reads the DOCX and poppler the PDF: both contain every heading, cell and line',
  { timeout: 120_000 },
  async () => {
    const table: Block = {
      kind: 'table',
      columns: [
        { title: '风险项', share: 2 },
        { title: '等级', share: 1 },
      ],
      rows: Array.from({ length: 120 }, (_, at) => [
        `com.example.component.Activity${at}`,
        { text: '高危', tone: 'high' },
      ]),
    }
    const document = longReport()
    const blocks = [...document.blocks, { kind: 'heading', level: 1, text: '组件列表' } as const, table]
    const folder = mkdtempSync(join(tmpdir(), 'report-'))
    try {
      for (const format of ['docx', 'pdf'] as const)
        writeFileSync(
          join(folder, `report.${format}`),
          await writeReport({ format, document: { ...document, blocks } }, never),
        )
      const profile = `-env:UserInstallation=file://${folder}/profile`
      const office = ['--headless', profile, '--convert-to', 'txt:Text (encoded):UTF8', '--outdir', folder]
      spawnSync('soffice', [...office, join(folder, 'report.docx')])
      const { stdout } = spawnSync('pdftotext', ['-raw', join(folder, 'report.pdf'), '-'], { maxBuffer: 1 << 26 })
      // Lines break where there is room.
      const plain = (text: string) => text.normalize('NFKC').replace(/\s+/g, '')
      const [word, pdf] = [plain(readFileSync(join(folder, 'report.txt'), 'utf8')), plain(stdout.toString())]
      const wanted = blocks.flatMap(textsOf).map(plain)
      expect(wanted.length).toBeGreaterThan(1500)
      expect(wanted.filter((text) => !word.includes(text))).toEqual([])
      expect(wanted.filter((text) => !pdf.includes(text))).toEqual([])
    } finally {
      rmSync(folder, { recursive: true })
    }
  },
)

test.skipIf(tools[1]?.status !== 0)(
  '[DET-04] poppler finds long names of packages and classes whole, without a character that is not theirs',
  async () => {
    const names = [
      'com.insecureshop.LoginActivity',
      'com.insecureshop.contentProvider.InsecureShopProvider',
      'android.permission.REQUEST_IGNORE_BATTERY_OPTIMIZATIONS',
    ]
    const document = documentOf([
      { kind: 'heading', level: 1, text: '风险项详情' },
      { kind: 'facts', rows: [{ label: '包名', text: names[0] as string }] },
      ...names.map(
        (name): Block => ({
          kind: 'evidence',
          location: `${name}.onCreate():42 (classes.dex +0x1f3a)`,
          note: '',
          lines: [`invoke-virtual {v0}, ${name};->start()V`],
          tone: 'high',
        }),
      ),
    ])
    const pdf = await writeReport({ format: 'pdf', document }, never)
    const { stdout } = spawnSync('pdftotext', ['-raw', '-', '-'], { input: pdf })
    const text = stdout.toString()
    for (const name of names) expect(text.split(name).length - 1, name).toBeGreaterThanOrEqual(2)
    expect(text).not.toMatch(/[\u200b-\u200d\u00ad\ufeff]/)
    expect(pdf.length).toBeGreaterThan(0)
  },
)

/** What a block says, text by text. */
function textsOf(block: Block): string[] {
  if (block.kind === 'heading') return [block.text]
  if (block.kind === 'labelled') return [block.label, block.text]
  if (block.kind === 'links') return [block.label, ...block.links.map(({ text }) => text)]
  if (block.kind === 'evidence') return [block.location, block.note, ...block.lines]
  if (block.kind !== 'table') return []
  const cells = block.rows.flat().map((cell) => (typeof cell === 'string' ? cell : cell.text))
  return [...block.columns.map(({ title }) => title), ...cells]
}

test('[DET-04] the first page of both formats has verdict, points, hash and a way to the page of each thing to mend', async () => {
  const sha256 = 'ab'.repeat(32)
  const front: FrontPage = {
    verdict: { text: '不可发布', note: '1 项门禁条件未满足', tone: 'bad' },
    gateTitle: '门禁　策略：全面检测',
    conditions: [
      { text: '高危问题 等于 0', now: '1', met: false },
      { text: '评分 不低于 60', now: '90', met: true },
    ],
    score: {
      title: '评分',
      value: 90,
      left: '剩 90',
      taken: [{ level: 'high', points: 10, text: '−10' }],
      counts: [{ level: 'high', word: '高危', count: 1 }],
    },
    first: {
      title: '先修这三件',
      note: '修完评分为 100',
      rows: [{ level: 'high', name: '明文传输', advice: '改用 TLS', gain: '+10 分', anchor: 'clear-text' }],
    },
    coverage: {
      title: '覆盖范围',
      note: '2 / 3 项已评估',
      parts: [
        { kind: 'pass', word: '通过', count: 1 },
        { kind: 'open', word: '未评估', count: 1 },
      ],
    },
    file: { label: '检测文件 SHA-256', sha256 },
    signatures: [{ label: '检测人', name: 'a@b.c' }],
    signHere: '签名与日期',
  }
  const cover = ['com.example', 'com.example', '1', '2026', 'a', 'b', 'c', 'd'].map((text) => ({ label: text, text }))
  const blocks: Block[] = [{ kind: 'heading', level: 2, text: '明文传输', anchor: 'clear-text' }]
  const document = { ...documentOf(blocks), cover, front }
  const [docx, pdf] = await Promise.all([
    writeReport({ format: 'docx', document }, never),
    writeReport({ format: 'pdf', document }, never),
  ])
  const zip = readZip(docx)
  const part = zip.byName.get('word/document.xml')
  if (!part) throw new Error('no document')
  const xml = Buffer.from(entryBytes(zip, part)).toString('utf8')
  for (const one of ['不可发布', '高危问题 等于 0', '−10', '+10 分', sha256, '签名与日期', 'PAGEREF item_clear_text'])
    expect(xml).toContain(one)
  expect(xml).toContain('w:name="item_clear_text"')
  // A link to a place in the same document.
  expect(Buffer.from(pdf).toString('latin1') + inflated(Buffer.from(pdf))).toMatch(/\/Subtype\s*\/Link/)
})

test('a cancelled report ends its writer', async () => {
  const stop = new AbortController()
  const writing = writeReport({ format: 'pdf', document: longReport() }, stop.signal)
  stop.abort()
  await expect(writing).rejects.toThrow()
})

/** What the compressed streams of a PDF hold. */
function inflated(bytes: Buffer): string {
  let all = ''
  for (let at = bytes.indexOf('stream\n'); at >= 0; at = bytes.indexOf('stream\n', at + 7)) {
    if (bytes.toString('latin1', at - 3, at) === 'end') continue
    try {
      all += inflateSync(bytes.subarray(at + 7)).toString('latin1')
    } catch {}
  }
  return all
}
