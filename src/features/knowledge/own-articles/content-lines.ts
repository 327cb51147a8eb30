import { ARTICLE_KINDS, ARTICLE_TOPICS, SOLUTION_KINDS } from '#contracts/http/knowledge.ts'
import type { OwnContent } from '#contracts/http/own-articles.ts'
import { PAGES } from '#contracts/pages.ts'

type Labels = Record<
  'kind' | 'topic' | 'platforms' | 'items' | 'pages' | 'articleTitle' | 'summary' | 'words' | 'zh' | 'en',
  string
>

/** Everything that a version says, as lines of text: two versions are compared line by line. */
export function contentLines(content: OwnContent, labels: Labels, language: 'zh' | 'en'): string[] {
  const { kind, topic, solution, platforms, items, pages } = content
  const listed = (label: string, values: readonly string[]) =>
    values.length > 0 ? [`${label}: ${values.join(', ')}`] : []
  return [
    `${labels.kind}: ${solution ? SOLUTION_KINDS[solution][language] : ARTICLE_KINDS[kind][language]}`,
    `${labels.topic}: ${ARTICLE_TOPICS[topic][language]}`,
    ...listed(labels.platforms, platforms),
    ...listed(labels.items, items),
    ...listed(
      labels.pages,
      pages.map((page) => PAGES[page][language]),
    ),
    ...(['zh', 'en'] as const).flatMap((name) => {
      const text = content[name]
      if (!text) return []
      return [
        `— ${labels[name]} —`,
        `${labels.articleTitle}: ${text.title}`,
        `${labels.summary}: ${text.summary}`,
        `${labels.words}: ${text.words}`,
        ...text.body.split('\n'),
      ]
    }),
  ]
}
