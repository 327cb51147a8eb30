import { defineTexts, translate } from '../i18n/texts.ts'
import { confirm, type Question } from './confirm.tsx'
import { toast } from './toast.ts'

const texts = defineTexts('ui-deletion', {
  deleted: { zh: '删除成功!', en: 'Delete successful' },
  notDeleted: { zh: '已取消删除', en: 'Deletion cancelled' },
})

/** Asks before something is deleted for good; false, and the notice 已取消删除, where the user does not want it. */
export async function confirmDeletion(question: Omit<Question, 'danger'>): Promise<boolean> {
  const yes = await confirm({ ...question, danger: true })
  if (!yes) notDeleted()
  return yes
}

/** The notice of a deletion that was cancelled in a dialog of its own. */
export function notDeleted(): void {
  toast.info(translate(texts, 'notDeleted'))
}

/** The notice after any deletion. */
export function deleted(): void {
  toast.success(translate(texts, 'deleted'))
}
