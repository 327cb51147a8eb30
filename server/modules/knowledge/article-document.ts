import { buffer } from 'node:stream/consumers'
import {
  ARTICLE_TOPICS,
  type ArticleBlock,
  type ArticlePart,
  CODE_LANGUAGES,
  SOLUTION_KINDS,
} from '#contracts/http/knowledge.ts'
import type { Block, LabelledText } from '#engines/report/document.ts'
import type { FileStore } from '#storage/files/port.ts'
import type { MetaStore } from '#storage/postgres/database.ts'
import { plainText } from './parse-article.ts'
import type { Article } from './read-articles.ts'

const TEXTS = {
  topic: { zh: '主题', en: 'Topic' },
  summary: { zh: '摘要', en: 'Summary' },
  references: { zh: '参考', en: 'References' },
  notCompiled: { zh: '未在此处编译', en: 'not compiled here' },
  compiled: { zh: '已编译', en: 'compiled' },
} as const

/** Of a page of a report, in points of its drawings. */
const PAGE_WIDTH = 720

/** Images by id, as addresses of data. */
type DocumentImages = ReadonlyMap<string, string>

/** The images of these blocks. One whose file is gone is left out. */
export async function readDocumentImages(
  { meta, files }: { meta: MetaStore; files: FileStore },
  blocks: readonly ArticleBlock[],
): Promise<DocumentImages> {
  const ids = blocks.flatMap((block) => (block.kind === 'image' ? [block.id] : []))
  if (ids.length === 0) return new Map()
  const rows = await meta.db
    .selectFrom('own_article_images')
    .select(['id', 'type', 'sha256'])
    .where('id', 'in', ids)
    .execute()
  const images = new Map<string, string>()
  for (const { id, type, sha256 } of rows) {
    if (!(await files.has(sha256))) continue
    const bytes = await buffer((await files.open(sha256)).stream())
    images.set(id, `data:image/${type};base64,${bytes.toString('base64')}`)
  }
  return images
}

/** An article as a document of the reports: PDF and DOCX are written from it. */
export function articleDocument(
  one: Article,
  language: 'zh' | 'en',
  images: DocumentImages = new Map(),
): { title: string; subject: string; cover: LabelledText[]; blocks: Block[] } {
  const t = (key: keyof typeof TEXTS) => TEXTS[key][language]
  const { title, summary, blocks } = one[language]
  const references: Block[] =
    one.references.length > 0
      ? [
          { kind: 'heading', level: 1, text: t('references') },
          ...one.references.map((text): Block => ({ kind: 'text', text })),
        ]
      : []
  return {
    title: one.solution ? SOLUTION_KINDS[one.solution][language] : ARTICLE_TOPICS[one.topic][language],
    subject: title,
    cover: [
      { label: t('topic'), text: ARTICLE_TOPICS[one.topic][language] },
      { label: t('summary'), text: summary },
    ],
    blocks: [...blocks.flatMap((block) => documentBlocks(block, language, images)), ...references],
  }
}

function documentBlocks(block: ArticleBlock, language: 'zh' | 'en', images: DocumentImages): Block[] {
  switch (block.kind) {
    case 'heading':
      return [{ kind: 'heading', level: block.level === 2 ? 1 : 2, text: block.text }]
    case 'text':
      return [{ kind: 'text', text: plainText(block.parts) }]
    case 'note':
      return [{ kind: 'text', text: plainText(block.parts), tone: 'strong' }]
    case 'list':
      return block.items.map((parts, at): Block => itemBlock(parts, block.ordered ? `${at + 1}. ` : '• '))
    case 'table':
      return [
        {
          kind: 'table',
          columns: block.head.map((cell) => ({ title: plainText(cell), share: 1 })),
          rows: block.rows.map((row) => row.map(plainText)),
        },
      ]
    case 'code':
      return [{ kind: 'evidence', location: '', note: '', lines: block.text.split('\n') }]
    case 'image': {
      const data = images.get(block.id)
      return data ? [imageBlock(block, data), { kind: 'text', text: block.alt, tone: 'quiet' }] : []
    }
    case 'files':
      return block.files.map(
        (file): Block => ({
          kind: 'evidence',
          location: CODE_LANGUAGES[file.language][language],
          note: TEXTS[file.compiled ? 'compiled' : 'notCompiled'][language],
          lines: file.text.split('\n'),
        }),
      )
  }
}

function itemBlock(parts: readonly ArticlePart[], mark: string): Block {
  return { kind: 'text', text: `${mark}${plainText(parts)}` }
}

/** A drawing as wide as the page that holds the image: at its own size, or made smaller to fit. */
function imageBlock({ alt, width, height }: Extract<ArticleBlock, { kind: 'image' }>, data: string): Block {
  const scale = Math.min(1, PAGE_WIDTH / width, PAGE_WIDTH / height)
  const [shown, high] = [Math.round(width * scale), Math.max(1, Math.round(height * scale))]
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${PAGE_WIDTH}" height="${high}" viewBox="0 0 ${PAGE_WIDTH} ${high}"><image href="${data}" width="${shown}" height="${high}"/></svg>`
  return { kind: 'chart', svg, alt, width: PAGE_WIDTH, height: high }
}
