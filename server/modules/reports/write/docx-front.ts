import { Resvg } from '@resvg/resvg-js'
import {
  AlignmentType,
  BorderStyle,
  ImageRun,
  InternalHyperlink,
  type IRunOptions,
  PageReference,
  Paragraph,
  Table,
  TableCell,
  TableLayoutType,
  TableRow,
  TextRun,
  VerticalAlign,
  WidthType,
} from 'docx'
import { FINDING_MARKS, LEVEL_COLORS } from '#domain/level-marks.ts'
import type { FrontPage, ReportDocument } from '#engines/report/document.ts'
import { printable } from './breakable.ts'
import { edgeOf, fillOf, INK, type LevelTone, TONE_COLORS } from './report-colors.ts'
import { CODE_FONT } from './report-fonts.ts'

const QUIET = TONE_COLORS.quiet
const WIDTH = 9638
const NONE = { style: BorderStyle.NONE, size: 0, color: 'auto' }
const STAMPS = { good: '✓', bad: '✕', quiet: '–' } as const

/** Name of the bookmark at a heading: Word allows letters, digits and '_', 40 at most. */
export function bookmarkOf(anchor: string): string {
  return `item_${anchor.replace(/\W/g, '_')}`.slice(0, 40)
}

/** The first page in Word: the same texts as in the PDF, the bars as pictures. */
export function docxFront(document: ReportDocument, front: FrontPage): (Paragraph | Table)[] {
  const { verdict, score, first, coverage, file } = front
  const taken = score.taken.map(({ level, points }) => ({ share: points, fill: fillOf(level), edge: edgeOf(level) }))
  const shades = { pass: TONE_COLORS.good, fail: INK, rest: 'c9d2de', open: 'hatch' } as const
  const all = coverage.parts.reduce((sum, { count }) => sum + count, 0)
  const zh = document.language === 'zh'
  return [
    line([run(document.subject, { bold: true, size: 42 })], { before: 700, after: 60 }),
    line([run(document.title, { color: QUIET })], { after: 60 }),
    line([run(document.cover[1]?.text ?? '', { font: CODE_FONT, size: 17 })], { after: 20 }),
    line([run(`${document.cover[3]?.text ?? ''}   ${document.cover.at(-1)?.text ?? ''}`, { color: QUIET, size: 17 })], {
      after: 240,
    }),
    grid(
      [4300, WIDTH - 4300],
      [
        [
          [
            line([
              run(`${STAMPS[verdict.tone]} `, { bold: true, size: 48, color: TONE_COLORS[verdict.tone] }),
              run(verdict.text, { bold: true, size: zh ? 48 : 32, color: TONE_COLORS[verdict.tone] }),
            ]),
            line([run(verdict.note, { color: QUIET })]),
          ],
          [
            line([run(front.gateTitle, { color: QUIET, size: 16 })]),
            ...front.conditions.map(({ text, now, met }) =>
              line([
                run(met ? '✓  ' : '✕  ', { bold: true, color: TONE_COLORS[met ? 'good' : 'bad'] }),
                run(`${text}　`),
                run(now, met ? {} : { bold: true, color: TONE_COLORS.bad }),
              ]),
            ),
          ],
        ],
      ],
      { style: BorderStyle.SINGLE, size: 8, color: INK },
    ),
    title(score.title, ''),
    line([
      run(String(score.value), { bold: true, size: 64 }),
      run(' / 100      ', { color: QUIET }),
      ...score.counts.flatMap(({ level, word, count }) => [
        shape(level),
        run(`${word} `),
        run(`${count}    `, { bold: true }),
      ]),
    ]),
    picture([{ share: score.value, fill: INK }, ...taken], 16, score.title),
    line([run([score.left, ...score.taken.map(({ text }) => text)].join('    '), { size: 16 })]),
    title(first.title, first.note),
    ...(first.rows.length > 0
      ? [
          grid(
            [2900, 4138, 1300, 1300],
            first.rows.map(({ level, name, advice, gain, anchor }) => [
              [line([shape(level), run(name, { bold: true })])],
              [line([run(advice)])],
              [line([run(gain)], {}, true)],
              [line(anchor === null ? [] : [pageOf(anchor, zh)], {}, true)],
            ]),
            { style: BorderStyle.SINGLE, size: 4, color: 'd5dce6' },
          ),
        ]
      : []),
    title(coverage.title, coverage.note),
    picture(
      coverage.parts.map(({ kind, count }) => ({ share: count && Math.max(count, 0.012 * all), fill: shades[kind] })),
      9,
      coverage.title,
    ),
    line(coverage.parts.flatMap(({ word, count }) => [run(`${count} `, { bold: true }), run(`${word}    `)])),
    line([run(file.label, { color: QUIET, size: 16 })], { before: 700 }),
    line([run(file.sha256, { font: CODE_FONT, size: 14 })], { after: 300 }),
    grid(
      front.signatures.map(() => Math.floor(WIDTH / front.signatures.length)),
      [
        front.signatures.map(({ label, name }) => [
          line([run(label, { color: QUIET, size: 16 })], { after: 160 }),
          line([run(name || ' ')]),
        ]),
        front.signatures.map(() => [line([run(front.signHere, { color: QUIET, size: 16 })])]),
      ],
      { style: BorderStyle.SINGLE, size: 4, color: INK },
      1,
    ),
  ]
}

function run(text: string, options: IRunOptions = {}): TextRun {
  return new TextRun({ ...options, text: printable(text) })
}

function shape(level: LevelTone): TextRun {
  const { level: known, character } = FINDING_MARKS[level]
  return new TextRun({ text: `${character} `, color: LEVEL_COLORS[known].edge })
}

function line(
  children: (TextRun | ImageRun | InternalHyperlink)[],
  spacing: { before?: number; after?: number } = {},
  right = false,
): Paragraph {
  return new Paragraph({
    spacing: { after: 40, ...spacing },
    children,
    ...(right && { alignment: AlignmentType.RIGHT }),
  })
}

function title(text: string, note: string): Paragraph {
  const children = [run(`${text}   `, { bold: true, size: 23 }), run(note, { color: QUIET, size: 16 })]
  return new Paragraph({ keepNext: true, spacing: { before: 280, after: 100 }, children })
}

function pageOf(anchor: string, zh: boolean): InternalHyperlink {
  const id = bookmarkOf(anchor)
  const color = '1661c4'
  const number = new TextRun({ color, children: [new PageReference(id)] })
  return new InternalHyperlink({
    anchor: id,
    children: zh ? [run('第 ', { color }), number, run(' 页', { color })] : [run('page ', { color }), number],
  })
}

/** A table without rules but one above and below, of `rules` first rows where that is given. */
function grid(
  widths: readonly number[],
  rows: readonly (readonly Paragraph[])[][],
  rule: { style: typeof BorderStyle.SINGLE; size: number; color: string },
  rules = rows.length,
): Table {
  return new Table({
    layout: TableLayoutType.FIXED,
    width: { size: WIDTH, type: WidthType.DXA },
    columnWidths: [...widths],
    rows: rows.map(
      (row, at) =>
        new TableRow({
          cantSplit: true,
          children: row.map(
            (children, column) =>
              new TableCell({
                width: { size: widths[column] as number, type: WidthType.DXA },
                verticalAlign: VerticalAlign.CENTER,
                borders: { top: NONE, left: NONE, right: NONE, bottom: at < rules ? rule : NONE },
                children: [...children],
              }),
          ),
        }),
    ),
  })
}

/** A bar over the whole width, `height` pixels high; `hatch` as fill is what was not assessed. */
function picture(
  parts: readonly { share: number; fill: string; edge?: string }[],
  height: number,
  alt: string,
): Paragraph {
  const width = 642
  const shown = parts.filter(({ share }) => share > 0)
  const all = shown.reduce((sum, { share }) => sum + share, 0) || 1
  let x = 0
  const drawn = shown.map(({ share, fill, edge }) => {
    const wide = (width * share) / all
    const paint = fill === 'hatch' ? `fill="url(#h)" stroke="#${INK}"` : `fill="#${fill}" stroke="#${edge ?? fill}"`
    const rect = `<rect x="${x + 0.5}" y=".5" width="${Math.max(0.5, wide - 2)}" height="${height - 1}" ${paint} stroke-width=".7"/>`
    x += wide
    return rect
  })
  const hatch = `<pattern id="h" width="4" height="4" patternUnits="userSpaceOnUse"><path d="M0 4 4 0" stroke="#${INK}" stroke-width=".8"/></pattern>`
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}"><defs>${hatch}</defs>${drawn.join('')}</svg>`
  const data = new Resvg(svg, { fitTo: { mode: 'zoom', value: 3 }, font: { loadSystemFonts: false } }).render().asPng()
  const altText = { name: alt, title: alt, description: alt }
  return line([new ImageRun({ type: 'png', data, transformation: { width, height }, altText })])
}
