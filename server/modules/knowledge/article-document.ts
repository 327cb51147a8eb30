import {
  ARTICLE_TOPICS,
  type ArticleBlock,
  type ArticlePart,
  CODE_LANGUAGES,
  SOLUTION_KINDS,
} from '#contracts/http/knowledge.ts'
import type { Block, LabelledText } from '#engines/report/document.ts'
import { plainText } from './parse-article.ts'
import type { Article } from './read-articles.ts'

const TEXTS = {
  topic: { zh: '主题', en: 'Topic' },
  summary: { zh: '摘要', en: 'Summary' },
  references: { zh: '参考', en: 'References' },
  notCompiled: { zh: '未在此处编译', en: 'not compiled here' },
  compiled: { zh: '已编译', en: 'compiled' },
} as const

/** An article as a document of the reports: PDF and DOCX are written from it. */
export function articleDocument(
  one: Article,
  language: 'zh' | 'en',
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
    blocks: [...blocks.flatMap((block) => documentBlocks(block, language)), ...references],
  }
}

function documentBlocks(block: ArticleBlock, language: 'zh' | 'en'): Block[] {
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
