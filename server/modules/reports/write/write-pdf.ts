import { NodeCompiler } from '@myriaddreamin/typst-ts-node-compiler'
import type { ReportDocument } from '#engines/report/document.ts'
import { breakable, printable } from './breakable.ts'
import { shapeOf } from './report-colors.ts'
import { REPORT_FONT_FILES } from './report-fonts.ts'
import { REPORT_TEMPLATE } from './report-template.ts'

/** The document as PDF/A-2b with bookmarks, contents and embedded fonts. Throws Error where the typesetter refuses. Synchronous: seconds. */
export function writePdf(document: ReportDocument): Uint8Array {
  const compiler = NodeCompiler.create({
    // Nothing is read from the disk: the whole workspace is in memory.
    workspace: '/nowhere',
    fontArgs: [{ fontPaths: [...REPORT_FONT_FILES] }],
  })
  let charts = 0
  const blocks = document.blocks.map((block) => {
    if (block.kind !== 'chart') return block
    const file = `chart-${charts++}.svg`
    compiler.mapShadow(`/nowhere/${file}`, Buffer.from(block.svg))
    return { kind: block.kind, alt: block.alt, file }
  })
  for (const tone of ['high', 'middle', 'low', 'info'] as const)
    compiler.mapShadow(`/nowhere/${tone}.svg`, Buffer.from(shapeOf(tone)))
  if (document.logo) compiler.mapShadow('/nowhere/logo.png', Buffer.from(document.logo))
  const made = new Date(document.made)
  const day = [made.getUTCFullYear(), made.getUTCMonth() + 1, made.getUTCDate()]
  const data = JSON.stringify({ ...document, blocks, day, logo: document.logo !== null }, shown)
  compiler.mapShadow('/nowhere/document.json', Buffer.from(data))
  const compiled = compiler.compile({ mainFileContent: REPORT_TEMPLATE })
  const { result } = compiled
  if (!result) {
    const error = compiled.takeError()
    const diagnostics = error ? JSON.stringify(compiler.fetchDiagnostics(error)) : 'no diagnostics'
    throw new Error(`The report cannot be typeset: ${diagnostics.slice(0, 2000)}`)
  }
  return compiler.pdf(result, { pdfStandard: 'a-2b' as never })
}

/** Names break at zero-width spaces, which the template replaces: none is in the file. Headings are bookmarks and stay as they are. */
const WHOLE = new Set(['anchor', 'sha256', 'url', 'subject', 'title'])
function shown(key: string, value: unknown): unknown {
  return typeof value === 'string' && !WHOLE.has(key) ? breakable(printable(value)) : value
}
