import type { Language } from '#contracts/errors.ts'
import type { TemplateUse } from '#contracts/http/platform-info.ts'
import type { Settings } from '#contracts/http/settings.ts'
import { parseText } from '#domain/platform-text.ts'
import type { Block, ReportDocument } from '#engines/report/document.ts'
import type { MetaStore } from '#storage/postgres/database.ts'
import { platformName, readOwnText } from '../../platform/platform-info/own-texts.ts'
import { zonedTime } from '../../platform/tables/zoned-time.ts'

const TITLES = {
  report_foreword: { zh: '报告说明', en: 'About this report' },
  report_appendix: { zh: '附录', en: 'Appendix' },
} as const satisfies Partial<Record<TemplateUse, Record<Language, string>>>

/**
 * The document with the platform's own chapters: its foreword after the first chapter, so that the result stays first, and its appendix at
 * the end. Without template files of these uses it is the document itself.
 */
export async function withOwnChapters(
  { meta, settings }: { meta: MetaStore; settings: Settings },
  document: ReportDocument,
  author: string,
): Promise<ReportDocument> {
  const { language, subject, made } = document
  const values = {
    platform: platformName(settings, language),
    ...{ subject, author, date: zonedTime(made, settings.zone).slice(0, 10) },
  }
  const chapter = async (use: keyof typeof TITLES): Promise<Block[]> => {
    const text = await readOwnText(meta, use, values)
    return text === null ? [] : chapterOf(text, TITLES[use][language])
  }
  const [foreword, appendix] = [await chapter('report_foreword'), await chapter('report_appendix')]
  const second = document.blocks.findIndex((block, at) => at > 0 && block.kind === 'heading' && block.level === 1)
  const at = second < 0 ? document.blocks.length : second
  const blocks = [...document.blocks.slice(0, at), ...foreword, ...document.blocks.slice(at), ...appendix]
  return { ...document, blocks }
}

/** One chapter: its title is the heading that the text begins with, or the given one; further headings of level 1 become level 2. */
function chapterOf(text: string, title: string): Block[] {
  const [first, ...rest] = parseText(text)
  const isTitled = first?.kind === 'heading'
  const blocks = isTitled ? rest : first ? [first, ...rest] : []
  return [
    { kind: 'heading', level: 1, text: isTitled ? first.text : title },
    ...blocks.flatMap((block): Block[] =>
      block.kind === 'heading'
        ? [{ ...block, level: block.level === 1 ? 2 : block.level }]
        : block.kind === 'list'
          ? block.items.map((item) => ({ kind: 'text', text: `• ${item}` }))
          : [{ kind: 'text', text: block.text }],
    ),
  ]
}
