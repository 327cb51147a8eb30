import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from 'yaml'
import { z } from 'zod'
import {
  type ArticleBlock,
  ArticleKindSchema,
  ArticlePageSchema,
  ArticlePlatformSchema,
  ArticleRiskSchema,
  ArticleTopicSchema,
  CODE_LANGUAGES,
  type CodeLanguage,
  SolutionKindSchema,
} from '#contracts/http/knowledge.ts'
import { type CodeFile, parseArticle } from './parse-article.ts'

/**
 * Articles as they stand in the repository: one folder an article (its name is the id) with `article.yaml` (what both languages share),
 * `zh.md` and `en.md` (Markdown with title, summary and further search words in its front matter), and files of code, of which the line
 * `{{name}}` shows all `name.*` as one block.
 */

const LANGUAGES = Object.keys(CODE_LANGUAGES) as CodeLanguage[]
const id = z.string().regex(/^[a-z0-9][a-z0-9-]{0,79}$/)
const SharedSchema = z.strictObject({
  kind: ArticleKindSchema,
  topic: ArticleTopicSchema,
  platforms: z.array(ArticlePlatformSchema).default([]),
  /** Detection items that it is the article of. */
  items: z.array(id).default([]),
  /** Risks of the configuration center. */
  risks: z.array(ArticleRiskSchema).default([]),
  /** Pages that a help article explains, the list before its detail. */
  pages: z.array(ArticlePageSchema).default([]),
  solution: SolutionKindSchema.nullable().default(null),
  related: z.array(id).default([]),
  references: z.array(z.string().min(1).max(120)).default([]),
})
const FrontSchema = z.strictObject({
  title: z.string().min(2).max(80),
  summary: z.string().min(10).max(300),
  words: z.string().max(300).default(''),
})

export type ArticleText = z.infer<typeof FrontSchema> & { blocks: ArticleBlock[] }
export type Article = z.infer<typeof SharedSchema> & {
  id: string
  /** Of an article of the organisation: who published it, when, and its one language where it has no other. */
  own: { at: number; by: string; only: 'zh' | 'en' | null } | null
  /** Languages of its code files, in the order of CODE_LANGUAGES. */
  code: CodeLanguage[]
  zh: ArticleText
  en: ArticleText
}

/** A file of an article that is not as it has to be; the message names it. */
export class ArticleError extends Error {}

/** Every article below a folder, sorted by id. */
export function readArticles(folder: string): Article[] {
  const names = readdirSync(folder, { withFileTypes: true }).filter((one) => one.isDirectory())
  return names
    .map(({ name }) => name)
    .sort()
    .map((name) => readArticle(join(folder, name), name))
}

function readArticle(folder: string, name: string): Article {
  try {
    const shared = SharedSchema.parse(parse(read(folder, 'article.yaml')) ?? {})
    const files = codeFiles(folder)
    return {
      ...shared,
      id: id.parse(name),
      own: null,
      code: LANGUAGES.filter((one) => files.some(({ language }) => language === one)),
      zh: readText(read(folder, 'zh.md'), files),
      en: readText(read(folder, 'en.md'), files),
    }
  } catch (error) {
    throw new ArticleError(`${name}: ${error instanceof Error ? error.message : String(error)}`)
  }
}

const FRONT = /^---\n([\s\S]*?)\n---\n/

/** Front matter and body of one language. */
export function readText(markdown: string, files: readonly CodeFile[]): ArticleText {
  const front = FRONT.exec(markdown)
  if (!front) throw new ArticleError('no front matter')
  return {
    ...FrontSchema.parse(parse(front[1] as string)),
    blocks: parseArticle(markdown.slice(front[0].length), files),
  }
}

/**
 * The Markdown of an article without its front matter, code files as blocks of their language, references as a list at its end: what a
 * copy begins with.
 */
export function articleSource(folder: string, one: Article, language: 'zh' | 'en'): string {
  const markdown = read(join(folder, one.id), `${language}.md`)
  const files = codeFiles(join(folder, one.id))
  const body = markdown
    .slice(FRONT.exec(markdown)?.[0].length ?? 0)
    .replace(/^\{\{([a-z][a-z0-9-]*)\}\}$/gm, (_all, name: string) =>
      files
        .filter((file) => file.name.slice(0, file.name.lastIndexOf('.')) === name)
        .map((file) => `\`\`\`${file.language}\n${file.text}\n\`\`\``)
        .join('\n\n'),
    )
    .trim()
  if (one.references.length === 0) return body
  return `${body}\n\n## ${language === 'zh' ? '参考' : 'References'}\n\n${one.references.map((text) => `- ${text}`).join('\n')}`
}

/** Java is compiled by a test against stub classes (knowledge/stubs); the others are read with care, and say that they are not compiled. */
function codeFiles(folder: string): CodeFile[] {
  return readdirSync(folder)
    .sort()
    .flatMap((name) => {
      const ending = name.slice(name.lastIndexOf('.') + 1)
      if (!(ending in CODE_LANGUAGES)) return []
      const language = ending as CodeLanguage
      return [{ name, language, text: read(folder, name).trimEnd(), compiled: language === 'java' }]
    })
}

function read(folder: string, name: string): string {
  const path = join(folder, name)
  if (!existsSync(path)) throw new ArticleError(`${name} is missing`)
  return readFileSync(path, 'utf8').replaceAll('\r\n', '\n')
}
