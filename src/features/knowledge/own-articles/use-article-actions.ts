import { articles } from '#contracts/http/knowledge.ts'
import {
  deleteOwnArticle,
  type OwnArticleLine,
  ownArticle,
  ownArticles,
  publishOwnArticle,
} from '#contracts/http/own-articles.ts'
import { useAction } from '#src/shared/api/use-action.ts'
import { useLanguage, useTexts } from '#src/shared/i18n/texts.ts'
import { confirm } from '#src/shared/ui/confirm.tsx'
import { confirmDeletion, deleted } from '#src/shared/ui/deletion.ts'
import { toast } from '#src/shared/ui/toast.ts'
import { dropKept } from './kept-draft.ts'
import { ownArticlesTexts } from './own-articles-texts.ts'

const REFRESHES = [ownArticles, ownArticle, articles]

/** Publish, withdraw and delete, with their questions and notices: the list and the editor offer the same. */
export function useArticleActions({ onDeleted }: { onDeleted?: () => void } = {}) {
  const t = useTexts(ownArticlesTexts)
  const language = useLanguage()
  const publishing = useAction(publishOwnArticle, {
    refreshes: REFRESHES,
    onSuccess({ published, problems }, { body }) {
      if (problems.length > 0) toast.warn(t('notPublished', { count: problems.length }))
      else if (body?.version === null) toast.success(t('withdrawn'))
      else toast.success(t('published', { version: published }))
    },
  })
  const deleting = useAction(deleteOwnArticle, {
    refreshes: [ownArticles, articles],
    onSuccess() {
      deleted()
      onDeleted?.()
    },
  })
  return {
    isPending: publishing.isPending || deleting.isPending,
    /** Why it was not published: nothing where it was, or where the refusal is already shown. */
    publish: async ({ id, version }: Pick<OwnArticleLine, 'id' | 'version'>) => {
      const answer = await publishing.mutateAsync({ body: { id, version } }).catch(() => undefined)
      return answer?.problems ?? []
    },
    async withdraw(one: OwnArticleLine) {
      const title = t('withdrawTitle', { title: one.title[language] })
      if (await confirm({ title, text: t('withdrawText'), action: t('withdraw'), danger: true }))
        publishing.mutate({ body: { id: one.id, version: null } })
    },
    async remove(one: OwnArticleLine) {
      const title = t('deleteTitle', { title: one.title[language] })
      if (!(await confirmDeletion({ title, text: t('deleteText'), action: t('delete') }))) return
      deleting.mutate({ body: { id: one.id } })
      dropKept(one.id)
    },
  }
}
