import { Resvg } from '@resvg/resvg-js'
import {
  AlignmentType,
  Bookmark,
  BorderStyle,
  Document,
  ExternalHyperlink,
  Footer,
  Header,
  HeadingLevel,
  ImageRun,
  type IRunOptions,
  Packer,
  PageNumber,
  Paragraph,
  ShadingType,
  Table,
  TableCell,
  TableLayoutType,
  TableOfContents,
  TableRow,
  TextRun,
  WidthType,
} from 'docx'
import { FINDING_MARKS, LEVEL_COLORS } from '#domain/level-marks.ts'
import type { Block, Cell, Column, ReportDocument, Tone } from '#engines/report/document.ts'
import { printable } from './breakable.ts'
import { bookmarkOf, docxFront } from './docx-front.ts'
import { edgeOf, INK, isLevel, TONE_COLORS } from './report-colors.ts'
import { CODE_FONT, REPORT_FONT, REPORT_FONT_FILES } from './report-fonts.ts'

const [QUIET, HAIR, LINK] = ['5b6b7f', 'd5dce6', '1661c4']
/** Twentieths of a point between the margins of an A4 page. */
const TEXT_WIDTH = 9638
const HEADINGS = { 1: HeadingLevel.HEADING_1, 2: HeadingLevel.HEADING_2, 3: HeadingLevel.HEADING_3 } as const

/** The document as Word (DOCX): the same blocks in the same order as in the PDF. */
export async function writeDocx(document: ReportDocument): Promise<Uint8Array> {
  const { language, title, subject, issuer, footer } = document
  const zh = language === 'zh'
  const small = { size: 16, color: QUIET }
  const numbers = zh
    ? ['第 ', PageNumber.CURRENT, ' 页 / 共 ', PageNumber.TOTAL_PAGES, ' 页']
    : ['Page ', PageNumber.CURRENT, ' of ', PageNumber.TOTAL_PAGES]
  const file = new Document({
    title: `${title} ${subject}`,
    creator: issuer,
    features: { updateFields: true },
    styles: {
      default: {
        document: {
          run: { font: { ascii: REPORT_FONT, hAnsi: REPORT_FONT, eastAsia: REPORT_FONT }, size: 19, color: INK },
        },
        heading1: {
          run: { size: 30, bold: true, color: INK },
          paragraph: { spacing: { before: 320, after: 160 }, keepNext: true, keepLines: true },
        },
        heading2: {
          run: { size: 23, bold: true, color: INK },
          paragraph: { spacing: { before: 240, after: 120 }, keepNext: true, keepLines: true },
        },
        heading3: {
          run: { size: 20, bold: true, color: INK },
          paragraph: { spacing: { before: 160, after: 80 }, keepNext: true, keepLines: true },
        },
      },
    },
    sections: [
      {
        properties: {
          titlePage: true,
          page: { size: { width: 11906, height: 16838 }, margin: { left: 1134, right: 1134, top: 1304, bottom: 1134 } },
        },
        headers: {
          default: new Header({ children: [paragraph(`${title}  ${subject}`, small)] }),
          first: new Header({ children: [] }),
        },
        footers: {
          default: new Footer({
            children: [
              ...(footer ? [paragraph(footer, small)] : []),
              new Paragraph({
                alignment: AlignmentType.RIGHT,
                children: [new TextRun({ children: numbers, ...small })],
              }),
            ],
          }),
          first: new Footer({ children: [issuer, footer].filter(Boolean).map((line) => paragraph(line, small)) }),
        },
        children: [
          ...coverOf(document),
          new Paragraph({
            pageBreakBefore: true,
            children: [new TextRun({ text: zh ? '目录' : 'Contents', bold: true, size: 30 })],
          }),
          new TableOfContents(zh ? '目录' : 'Contents', { hyperlink: true, headingStyleRange: '1-1' }),
          new Paragraph({ pageBreakBefore: true, children: [] }),
          ...document.blocks.flatMap(partsOf),
        ],
      },
    ],
  })
  return Packer.toBuffer(file)
}

function coverOf(document: ReportDocument): (Paragraph | Table)[] {
  const { title, subject, cover, logo, front } = document
  const size = logo ? pngSize(logo) : null
  return [
    ...(logo && size
      ? [
          new Paragraph({
            children: [
              new ImageRun({
                type: 'png',
                data: Buffer.from(logo),
                transformation: { width: (60 * size.width) / size.height, height: 60 },
              }),
            ],
          }),
        ]
      : []),
    ...(front
      ? docxFront(document, front)
      : [
          new Paragraph({
            spacing: { before: 2600 },
            children: [new TextRun({ text: printable(title), bold: true, size: 52 })],
          }),
          new Paragraph({
            spacing: { before: 120, after: 800 },
            children: [new TextRun({ text: printable(subject), size: 30, color: QUIET })],
          }),
          factsTable(cover),
        ]),
  ]
}

function partsOf(block: Block): (Paragraph | Table)[] {
  switch (block.kind) {
    case 'heading':
      return [
        new Paragraph({
          heading: HEADINGS[block.level],
          children: block.anchor
            ? [new Bookmark({ id: bookmarkOf(block.anchor), children: [new TextRun(printable(block.text))] })]
            : [new TextRun(printable(block.text))],
        }),
      ]
    case 'text':
      return [paragraph(block.text, block.tone ? { color: TONE_COLORS[block.tone] } : {})]
    case 'labelled':
      return [
        new Paragraph({
          spacing: { after: 60 },
          children: [
            new TextRun({ text: `${printable(block.label)}  `, bold: true }),
            ...toned(block.text, block.tone, {}),
          ],
        }),
      ]
    case 'links':
      return [
        new Paragraph({
          spacing: { after: 60 },
          children: [
            new TextRun({ text: `${printable(block.label)}  `, bold: true }),
            ...block.links.flatMap(({ text, url }) => {
              const shown = new TextRun({ text: printable(text), ...(url && { color: LINK }) })
              return [url ? new ExternalHyperlink({ link: url, children: [shown] }) : shown, new TextRun('  ')]
            }),
          ],
        }),
      ]
    case 'facts':
      return [factsTable(block.rows), gap()]
    case 'table':
      return [tableOf(block.columns, block.rows), gap()]
    case 'chart': {
      const width = 640
      const png = new Resvg(block.svg, {
        fitTo: { mode: 'zoom', value: 2 },
        font: { loadSystemFonts: false, fontFiles: [...REPORT_FONT_FILES], defaultFontFamily: REPORT_FONT },
      })
        .render()
        .asPng()
      const altText = { name: block.alt, title: block.alt, description: block.alt }
      const transformation = { width, height: Math.round((width * block.height) / block.width) }
      return [new Paragraph({ children: [new ImageRun({ type: 'png', data: png, transformation, altText })] })]
    }
    case 'verdict':
      return [
        new Paragraph({
          spacing: { before: 80, after: 120 },
          border: { left: { style: BorderStyle.SINGLE, size: 24, space: 8, color: TONE_COLORS[block.tone] } },
          children: [
            new TextRun({ text: `${printable(block.label)}  `, color: QUIET }),
            new TextRun({ text: printable(block.text), bold: true, size: 26, color: TONE_COLORS[block.tone] }),
          ],
        }),
      ]
    case 'evidence':
      return [
        ...(block.location
          ? [shaded(block.location, block.tone, { bold: true, size: 15 }, block.lines.length > 0)]
          : []),
        ...(block.note ? [shaded(block.note, block.tone, { size: 16, color: QUIET, font: REPORT_FONT })] : []),
        ...block.lines.map((line) => shaded(line, block.tone, { size: 15 })),
        gap(),
      ]
  }
}

function tableOf(columns: readonly Column[], rows: readonly (readonly Cell[])[]): Table {
  const shares = columns.reduce((sum, { share }) => sum + share, 0)
  const widths = columns.map(({ share }) => Math.round((TEXT_WIDTH * share) / shares))
  const cellOf = (cell: Cell, at: number, run: IRunOptions) =>
    new TableCell({
      width: { size: widths[at] as number, type: WidthType.DXA },
      borders: BORDERS,
      children: [
        new Paragraph({
          ...(columns[at]?.align === 'right' && { alignment: AlignmentType.RIGHT }),
          children: typeof cell === 'string' ? lines(cell, run) : toned(cell.text, cell.tone, { ...run, bold: true }),
        }),
      ],
    })
  return new Table({
    layout: TableLayoutType.FIXED,
    width: { size: TEXT_WIDTH, type: WidthType.DXA },
    columnWidths: widths,
    rows: [
      new TableRow({
        tableHeader: true,
        children: columns.map(({ title }, at) => cellOf(title, at, { bold: true, size: 17, color: QUIET })),
      }),
      ...rows.map(
        (row) => new TableRow({ cantSplit: true, children: row.map((cell, at) => cellOf(cell, at, { size: 17 })) }),
      ),
    ],
  })
}

function factsTable(rows: readonly { label: string; text: string }[]): Table {
  const widths = [2200, TEXT_WIDTH - 2200]
  const cell = (text: string, at: number, run: IRunOptions) =>
    new TableCell({
      width: { size: widths[at] as number, type: WidthType.DXA },
      borders: BORDERS,
      children: [new Paragraph({ children: lines(text, run) })],
    })
  return new Table({
    layout: TableLayoutType.FIXED,
    width: { size: TEXT_WIDTH, type: WidthType.DXA },
    columnWidths: widths,
    rows: rows.map(
      ({ label, text }) => new TableRow({ children: [cell(label, 0, { color: QUIET }), cell(text, 1, {})] }),
    ),
  })
}

const NONE = { style: BorderStyle.NONE, size: 0, color: 'auto' }
const BORDERS = { top: NONE, left: NONE, right: NONE, bottom: { style: BorderStyle.SINGLE, size: 4, color: HAIR } }

function lines(text: string, run: IRunOptions): TextRun[] {
  return printable(text)
    .split('\n')
    .map((line, at) => new TextRun({ ...run, text: line, ...(at > 0 && { break: 1 }) }))
}

function paragraph(text: string, run: IRunOptions): Paragraph {
  return new Paragraph({ spacing: { after: 80 }, children: lines(text, run) })
}

/** A line of evidence: on grey, in the typeface of code, with the edge of its level. */
function shaded(text: string, tone: Tone | undefined, run: IRunOptions, keepNext = false): Paragraph {
  const color = edgeOf(isLevel(tone) ? tone : undefined)
  return new Paragraph({
    keepNext,
    shading: { type: ShadingType.CLEAR, fill: 'f5f7fa' },
    border: { left: { style: BorderStyle.SINGLE, size: 24, space: 6, color } },
    children: lines(text, { font: { ascii: CODE_FONT, hAnsi: CODE_FONT, eastAsia: REPORT_FONT }, ...run }),
  })
}

/** A word in its colour; of a level in text colour behind its shape. */
function toned(text: string, tone: Tone | undefined, run: IRunOptions): TextRun[] {
  if (tone === undefined) return lines(text, run)
  if (!isLevel(tone)) return lines(text, { ...run, color: TONE_COLORS[tone] })
  const { level, character } = FINDING_MARKS[tone]
  return [new TextRun({ ...run, text: `${character} `, color: LEVEL_COLORS[level].edge }), ...lines(text, run)]
}

function gap(): Paragraph {
  return new Paragraph({ spacing: { after: 60 }, children: [] })
}

/** Width and height of a PNG in pixels, from its header. */
function pngSize(png: Uint8Array): { width: number; height: number } {
  const view = new DataView(png.buffer, png.byteOffset, png.byteLength)
  return { width: view.getUint32(16), height: view.getUint32(20) }
}
