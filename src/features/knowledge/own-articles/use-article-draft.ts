import { useEffect, useState } from 'react'
import type { OwnContent, OwnText } from '#contracts/http/own-articles.ts'
import { dropKept, type KeptDraft, keepDraft, readKept } from './kept-draft.ts'

/** Id of an article that was never saved, in the address and where its draft is kept. */
export const NEW = 'new'

export const EMPTY_TEXT: OwnText = { title: '', summary: '', words: '', body: '' }
const EMPTY: OwnContent = {
  ...{ kind: 'article', topic: 'platform', solution: null, platforms: [], items: [], pages: [], zh: null, en: null },
}

type Edited = { content: OwnContent; basedOn: number }

/** Both are equal whatever the order of their fields is. */
export function sameContent(a: OwnContent, b: OwnContent): boolean {
  const plain = ({ kind, topic, solution, platforms, items, pages, zh, en }: OwnContent) =>
    JSON.stringify([kind, topic, solution, platforms, items, pages, ...[zh, en].map((text) => text && fields(text))])
  return plain(a) === plain(b)
}
const fields = ({ title, summary, words, body }: OwnText) => [title, summary, words, body]

/**
 * What is edited of an article, kept in this browser until it is saved. `stored`: its newest version, undefined for a new article, which
 * begins in `language`.
 */
export function useArticleDraft(
  id: string,
  stored: { content: OwnContent; version: number } | undefined,
  language: 'zh' | 'en',
) {
  const newest = stored?.content ?? { ...EMPTY, [language]: EMPTY_TEXT }
  const version = stored?.version ?? 0
  const [kept, setKept] = useState<KeptDraft | null>(() => readKept(id))
  const [edited, setEdited] = useState<Edited | undefined>(() =>
    kept ? { content: kept.content, basedOn: kept.based_on } : undefined,
  )
  const content = edited?.content ?? newest
  const isDirty = edited !== undefined && !sameContent(edited.content, newest)
  useEffect(() => {
    if (!edited) return
    if (isDirty) keepDraft(id, { based_on: edited.basedOn, at: Date.now(), content: edited.content })
    else dropKept(id)
  }, [id, edited, isDirty])
  return {
    content,
    isDirty,
    basedOn: edited?.basedOn ?? version,
    /** Somebody saved another version meanwhile. */
    isOutdated: isDirty && edited.basedOn !== version,
    /** When what was loaded from this browser was written; null where nothing was. */
    keptAt: isDirty && kept ? kept.at : null,
    change: (part: Partial<OwnContent>) =>
      setEdited({ content: { ...content, ...part }, basedOn: edited?.basedOn ?? version }),
    discard() {
      setEdited(undefined)
      setKept(null)
      dropKept(id)
    },
    /** What was `sent` is version `saved` now; what was written since then goes on from it. */
    settle(sent: OwnContent, saved: number) {
      setKept(null)
      dropKept(id)
      setEdited((now) =>
        now && !sameContent(now.content, sent) ? { content: now.content, basedOn: saved } : undefined,
      )
    },
  }
}
